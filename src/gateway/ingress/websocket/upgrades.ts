import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const UNIVERSAL_PATH = /^(?:https?:\/\/[^/]*)?\/v1\/[^/?]+\/[^/?]+\/?(?:\?|$)/i;

/**
 * Whether a request wants to go on as universal requests over WebSocket. One with a body is none: node:http
 * would hand over something else than a socket before that body is there.
 */
export function isUniversalUpgrade({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    UNIVERSAL_PATH.test(url) &&
    (headers['content-length'] ?? '0') === '0' &&
    headers['transfer-encoding'] === undefined
  );
}

/** A connection that may leave HTTP. */
export interface Upgrade {
  request: IncomingMessage;
  response: ServerResponse;
  socket: Socket;
  /** What came behind the request already. */
  head: Buffer;
}

/** Upgrades on their way through the routes, where they are known, let in or refused as any request. */
export class Upgrades {
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>();

  /** Takes what {@link isUniversalUpgrade} lets through. */
  listen(http: FastifyInstance): void {
    http.server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
      const socket = stream as Socket;
      // Told by its `close`; without a listener it would end the process.
      socket.on('error', () => {});
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        response.detachSocket(socket);
        socket.destroySoon();
      });
      // The public documentation of the WebSocket has a slash at the end.
      request.url = request.url?.replace(/\/(?=\?|$)/, '') ?? '';
      this.#upgrades.set(request, { request, response, socket, head });
      http.routing(request, response);
    });
  }

  /** @returns undefined when the request is none */
  of(request: FastifyRequest): Upgrade | undefined {
    return this.#upgrades.get(request.raw);
  }
}
