import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import { httpErrors } from '../../../http/errors.ts';
import { createUuidV7 } from '../../../lib/ids.ts';
import { admit } from '../admit.ts';
import type { AdmissionRequest, GatewayRequest } from '../../gateway-request.ts';
import { GatewayError, asGatewayError } from '../../gateway-error.ts';
import { gatewayErrors } from '../../gateway-errors.ts';
import type { IngressServices } from '../ingress-services.ts';
import { countRequest, handleRequest } from '../../handle-request.ts';
import type { BodyBudget } from '../body-budget.ts';
import { limitPartialMessage } from './unfinished-message.ts';
import { readCreate } from './universal-create.ts';
import { WebSocketClientResponse, type Wire, errorMessage } from './websocket-client-response.ts';
import { type AdmittedCaller, maxParsedBytes } from '../../admitted-caller.ts';

/** The parts of the handshake that apply to all requests of the connection. */
export interface Opening {
  admissionRequest: AdmissionRequest;
  headers: GatewayRequest['headers'];
  rawHeaders: readonly string[];
  log: FastifyBaseLogger;
}

/** An open connection. */
export interface Opened {
  webSocket: WebSocket;
  socket: Socket;
  /** Longest time for one message to arrive. */
  requestTimeoutMs: number;
}

// Each request in progress may hold a response in memory.
const MAX_UNDER_WAY = 32;
// A rejected message is parsed for its `eventId`, unless it is larger.
const MAX_REFUSED_BYTES = 64 * 1024;
// Proxies close connections that are idle for a minute.
const MAX_PING_INTERVAL_MS = 30_000;

// RFC 6455 section 7.4.1.
const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;
const POLICY_VIOLATION = 1008;

const tooManyAtOnce = {
  ...gatewayErrors.tooManyRequests,
  message: `${gatewayErrors.tooManyRequests.message}: ${MAX_UNDER_WAY} requests are in progress on this connection`,
};

/** The WebSocket of one client. Each message is a request, and several requests may be in progress. */
export class UniversalConnection implements Wire {
  readonly #services: IngressServices;
  readonly #bodies: BodyBudget;
  readonly #opening: Opening;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #responses = new Set<WebSocketClientResponse>();
  #underWay = 0;
  #isStopping = false;
  #draining: Promise<void> | undefined;

  constructor(
    services: IngressServices,
    bodies: BodyBudget,
    opening: Opening,
    { webSocket, socket, requestTimeoutMs }: Opened,
  ) {
    this.#services = services;
    this.#bodies = bodies;
    this.#opening = opening;
    this.#webSocket = webSocket;
    this.#socket = socket;
    limitPartialMessage(webSocket, socket, bodies, requestTimeoutMs);
    webSocket.on('message', (message: Buffer, isBinary) => this.#receive(message, isBinary));
    // For example a frame that is too large: `ws` closes the connection with the status code of the error.
    webSocket.on('error', (error) => opening.log.info({ err: error }, 'a WebSocket failed'));
    socket.once('close', () => this.#leave());
    webSocket.once('close', () => this.#leave());
    this.#keepAlive();
  }

  get isClosed(): boolean {
    return this.#webSocket.readyState !== this.#webSocket.OPEN || this.#socket.destroyed;
  }

  get isFull(): boolean {
    return this.#draining !== undefined;
  }

  send(text: string): void {
    if (this.isClosed) return;
    this.#webSocket.send(text);
    if (this.#socket.writableNeedDrain) this.#draining ??= this.#drain();
  }

  drained(): Promise<void> {
    return this.#draining ?? Promise.resolve();
  }

  /** Stops reading messages until the client has read the responses. Cuts the connection of a client that does not read. */
  async #drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#webSocket.pause();
    const timer = setTimeout(() => this.cut(), this.#services.runtime.upstreamIdleTimeoutMs);
    this.#socket.once('drain', resolve);
    this.#socket.once('close', resolve);
    await promise;
    clearTimeout(timer);
    this.#socket.off('drain', resolve);
    this.#socket.off('close', resolve);
    this.#draining = undefined;
    this.#webSocket.resume();
  }

  /** Sends pings, and cuts the connection of a client that does not respond. */
  #keepAlive(): void {
    const { upstreamIdleTimeoutMs } = this.#services.runtime;
    const intervalMs = Math.min(MAX_PING_INTERVAL_MS, Math.ceil(upstreamIdleTimeoutMs / 3));
    let bytesRead = this.#socket.bytesRead;
    let silentMs = 0;
    const timer = setInterval(() => {
      silentMs = bytesRead === this.#socket.bytesRead && !this.isFull ? silentMs + intervalMs : 0;
      bytesRead = this.#socket.bytesRead;
      if (silentMs >= upstreamIdleTimeoutMs) this.cut();
      else if (!this.isClosed) this.#webSocket.ping();
    }, intervalMs);
    this.#socket.once('close', () => clearInterval(timer));
  }

  #receive(message: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.#webSocket.close(UNSUPPORTED, 'messages must be text');
      return;
    }
    if (this.#isStopping) return this.#refuse(message, new GatewayError(httpErrors.unavailable));
    if (this.#underWay === MAX_UNDER_WAY) {
      return this.#refuse(message, new GatewayError(tooManyAtOnce));
    }
    const release = this.#bodies.reserve(message.length);
    if (release === undefined) {
      return this.#refuse(message, new GatewayError(httpErrors.unavailable));
    }
    this.#underWay++;
    void this.#serve(message).finally(() => {
      release();
      this.#underWay--;
      if (this.#isStopping) this.#closeWhenIdle();
    });
  }

  /** Rejects a message that has not been read. */
  #refuse(message: Buffer, error: GatewayError): void {
    const ids =
      message.length > MAX_REFUSED_BYTES
        ? {}
        : readCreate(message.toString(), this.#services.runtime.jsonMaxDepth).ids;
    this.send(errorMessage(error, ids, error.headers));
  }

  /** Never rejects. */
  async #serve(message: Buffer): Promise<void> {
    try {
      const admitted = await admit(this.#services.admission, this.#opening.admissionRequest);
      await countRequest(this.#services.runtime.charging.limits, admitted);
      if (message.length > maxParsedBytes(admitted)) {
        throw new GatewayError(gatewayErrors.bodyTooLarge);
      }
      await this.#handle(message, admitted);
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) {
        this.#opening.log.error({ err: thrown }, 'the gateway failed');
      }
      const error = asGatewayError(thrown);
      this.#refuse(message, error);
      // The credential that opened the connection would not open it now.
      if (error.status === 401) this.#webSocket.close(POLICY_VIOLATION, 'Unauthorized');
    }
  }

  async #handle(message: Buffer, admitted: AdmittedCaller): Promise<void> {
    const { headers, rawHeaders, log } = this.#opening;
    const { clock, jsonMaxDepth } = this.#services.runtime;
    const { ids, body, error } = readCreate(message.toString(), jsonMaxDepth);
    if (error !== undefined) return this.send(errorMessage(error, ids));
    const client = new WebSocketClientResponse(this, ids, () => this.#responses.delete(client));
    this.#responses.add(client);
    const receivedAtMs = clock.now();
    await handleRequest(this.#services.runtime, {
      method: 'POST',
      headers: { ...headers, 'cf-aig-event-id': ids.eventId },
      rawHeaders,
      client,
      id: createUuidV7(receivedAtMs),
      log,
      ...admitted,
      target: { entry: 'universal' },
      body,
      receivedAtMs,
      isCounted: true,
    });
  }

  #leave(): void {
    for (const client of this.#responses) client.leave();
    this.#responses.clear();
  }

  /** Closes the connection when no request is in progress. */
  stop(): void {
    this.#isStopping = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#underWay === 0) this.#webSocket.close(GOING_AWAY, 'the server is stopping');
  }

  cut(): void {
    this.#webSocket.terminate();
  }
}
