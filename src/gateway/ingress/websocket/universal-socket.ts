import type { FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { httpErrors, unavailable } from '../../../http/errors.ts';
import type { AdmissionRequest } from '../../gateway-request.ts';
import { GatewayError, asGatewayError } from '../../gateway-error.ts';
import type { IngressServices } from '../ingress-services.ts';
import type { BodyBudget } from '../body-budget.ts';
import { universal } from '../gateway-host.ts';
import { UniversalConnection } from './universal-connection.ts';
import type { Upgrade } from './upgrades.ts';
import type { EntryPoint } from '../endpoint.ts';

// The limit of a universal request over HTTP.
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
// Time for the client to confirm that the connection is closed.
const CLOSE_TIMEOUT_MS = 2_000;
// Requests in progress fail when the shutdown timeout is over (see drain.ts). Their errors need time to arrive.
const LAST_WORDS_MS = 500;

/** Browsers cannot add headers to a handshake, but can offer subprotocols. */
const CREDENTIAL_PROTOCOL = 'cf-aig-authorization.';

/** Universal requests over WebSocket. */
export const universalSocket: EntryPoint = {
  admissionRequest(request): AdmissionRequest {
    const admission = universal.admissionRequest(request);
    if (admission.credential !== undefined) return admission;
    const protocol = protocolsOf(request).find(isCredential);
    if (protocol === undefined) return admission;
    return { ...admission, credential: `Bearer ${protocol.slice(CREDENTIAL_PROTOCOL.length)}` };
  },
  target: (request) => universal.target(request),
};

function protocolsOf({ headers }: FastifyRequest): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

function isCredential(protocol: string): boolean {
  return protocol.startsWith(CREDENTIAL_PROTOCOL);
}

/**
 * Selects a subprotocol, because browsers require that the server accepts one of those they offer. Prefers one that is not
 * the credential, so that the response does not repeat it.
 */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  const names = [...offered];
  return names.find((name) => !isCredential(name)) ?? names[0] ?? false;
}

/** Limits of one message. */
export interface MessageLimits {
  bodyLimitBytes: number;
  /** Longest time for the message to arrive. */
  requestTimeoutMs: number;
}

/** The open connections. */
export class UniversalSockets {
  readonly #services: IngressServices;
  readonly #bodies: BodyBudget;
  readonly #requestTimeoutMs: number;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<UniversalConnection>();
  #isStopping = false;
  #cutTimer: NodeJS.Timeout | undefined;

  constructor(
    services: IngressServices,
    bodies: BodyBudget,
    { bodyLimitBytes, requestTimeoutMs }: MessageLimits,
  ) {
    this.#services = services;
    this.#bodies = bodies;
    this.#requestTimeoutMs = requestTimeoutMs;
    // The types of the package lack some of its options.
    const options = {
      noServer: true,
      clientTracking: false,
      // Compression costs memory and time for each connection, and delays events.
      perMessageDeflate: false,
      maxPayload: Math.min(bodyLimitBytes, MAX_MESSAGE_BYTES),
      handleProtocols: chooseProtocol,
      closeTimeout: CLOSE_TIMEOUT_MS,
      // One message in each turn of the event loop: a single packet can contain thousands.
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
        admissionRequest: universalSocket.admissionRequest(request),
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

  /** Closes each connection when no request is in progress, and all connections after the timeout. */
  stop(timeoutMs: number): void {
    this.#isStopping = true;
    if (this.#connections.size === 0) return;
    for (const connection of this.#connections) connection.stop();
    this.#cutTimer = setTimeout(() => {
      for (const connection of this.#connections) connection.cut();
    }, timeoutMs + LAST_WORDS_MS).unref();
  }
}

/** RFC 6455 section 4.2.1. `ws` would reject an invalid handshake without an error body. */
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
