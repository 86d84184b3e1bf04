import type { FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { httpErrors, unavailable } from '../../http/errors.ts';
import type { Approach } from '../exchange.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { RequestBodies } from '../request-bodies.ts';
import { universal } from './gateway-host.ts';
import { UniversalConnection } from './universal-connection.ts';
import type { Upgrade } from './upgrades.ts';
import type { WayIn } from './way-in.ts';

// A universal request over HTTP has no larger body either.
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
// For a client to answer that a connection is closed.
const CLOSE_TIMEOUT_MS = 2_000;
// What is under way is told that the server stops when the time to stop is over; see drain.ts.
const LAST_WORDS_MS = 500;

/** Browsers can send no headers along; what they can name are subprotocols. */
const CREDENTIAL_PROTOCOL = 'cf-aig-authorization.';

/** Universal requests over WebSocket. */
export const universalSocket: WayIn = {
  approach(request): Approach {
    const approach = universal.approach(request);
    if (approach.credential !== undefined) return approach;
    const protocol = protocolsOf(request).find(isCredential);
    if (protocol === undefined) return approach;
    return { ...approach, credential: `Bearer ${protocol.slice(CREDENTIAL_PROTOCOL.length)}` };
  },
  wanted: (request) => universal.wanted(request),
};

function protocolsOf({ headers }: FastifyRequest): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

function isCredential(protocol: string): boolean {
  return protocol.startsWith(CREDENTIAL_PROTOCOL);
}

/**
 * Browsers demand that one of what they offer is chosen: another one than the credential, where there
 * is one, so that it is not repeated.
 */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  const names = [...offered];
  return names.find((name) => !isCredential(name)) ?? names[0] ?? false;
}

/** Of one message. */
export interface MessageLimits {
  bodyLimitBytes: number;
  /** Time for a client to send it. */
  requestTimeoutMs: number;
}

/** The open connections. */
export class UniversalSockets {
  readonly #services: GatewayServices;
  readonly #bodies: RequestBodies;
  readonly #requestTimeoutMs: number;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<UniversalConnection>();
  #isStopping = false;
  #cutTimer: NodeJS.Timeout | undefined;

  constructor(
    services: GatewayServices,
    bodies: RequestBodies,
    { bodyLimitBytes, requestTimeoutMs }: MessageLimits,
  ) {
    this.#services = services;
    this.#bodies = bodies;
    this.#requestTimeoutMs = requestTimeoutMs;
    // The types of the package do not know all of its options.
    const options = {
      noServer: true,
      clientTracking: false,
      // It would cost memory and time for each connection, and hold events back.
      perMessageDeflate: false,
      maxPayload: Math.min(bodyLimitBytes, MAX_MESSAGE_BYTES),
      handleProtocols: chooseProtocol,
      closeTimeout: CLOSE_TIMEOUT_MS,
      // One message a turn of the event loop: a single packet can hold thousands.
      allowSynchronousEvents: false,
    };
    this.#server = new WebSocketServer(options);
  }

  /**
   * Opens the connection of an admitted upgrade.
   * @throws GatewayError 6011 if the request is no WebSocket handshake, 1001 if the server is stopping
   */
  open(upgrade: Upgrade, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isStopping) throw asGatewayError(unavailable('the server is stopping'));
    if (!isHandshake(request)) {
      throw new GatewayError(httpErrors.malformedRequest, {
        message: `${httpErrors.malformedRequest.message}: a WebSocket handshake of version 13 is required`,
      });
    }
    reply.hijack();
    const { response, socket, head } = upgrade;
    response.detachSocket(socket);
    const { raw, headers, ip, log, url } = request;
    this.#server.handleUpgrade(raw, socket, head, (webSocket) => {
      const opening = {
        approach: universalSocket.approach(request),
        headers,
        rawHeaders: raw.rawHeaders,
        log,
      };
      const connection = new UniversalConnection(this.#services, this.#bodies, opening, {
        webSocket,
        socket,
        requestTimeoutMs: this.#requestTimeoutMs,
      });
      this.#connections.add(connection);
      socket.once('close', () => {
        this.#connections.delete(connection);
        if (this.#connections.size === 0) clearTimeout(this.#cutTimer);
      });
      log.info({ method: 'GET', path: url.split('?', 1)[0], status: 101, ip }, 'request');
    });
  }

  /** Closes all connections, each when nothing is under way on it, and all of them after that time. */
  stop(timeoutMs: number): void {
    this.#isStopping = true;
    if (this.#connections.size === 0) return;
    for (const connection of this.#connections) connection.stop();
    this.#cutTimer = setTimeout(() => {
      for (const connection of this.#connections) connection.cut();
    }, timeoutMs + LAST_WORDS_MS).unref();
  }
}

/** RFC 6455 section 4.2.1; refused here, where the refusal gets its shape. */
function isHandshake({ headers }: FastifyRequest): boolean {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = headers;
  const names = headers['sec-websocket-protocol'];
  return (
    /^[+/0-9A-Za-z]{22}==$/.test(key) &&
    version === '13' &&
    (names === undefined ||
      /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/.test(names))
  );
}
