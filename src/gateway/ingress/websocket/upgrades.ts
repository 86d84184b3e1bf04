import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const UNIVERSAL_PATH = /^(?:https?:\/\/[^/]*)?\/v1\/[^/?]+\/[^/?]+\/?(?:\?|$)/i;

/**
 * Returns true for the upgrade to universal requests over WebSocket. A request with a body is none, because node:http would
 * pass on another object than the socket before the body has arrived.
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

/** A connection that requests an upgrade. */
export interface Upgrade {
  request: IncomingMessage;
  response: ServerResponse;
  socket: Socket;
  /** Bytes that arrived after the request. */
  head: Buffer;
}

/** Passes upgrades through the routes, which admit or reject them like any request. */
export class Upgrades {
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>();

  /** Receives the upgrades that {@link isUniversalUpgrade} accepts. */
  listen(http: FastifyInstance): void {
    http.server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
      const socket = stream as Socket;
      // `close` follows. Without a listener, an error would end the process.
      socket.on('error', () => {});
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        response.detachSocket(socket);
        socket.destroySoon();
      });
      // The path in the public documentation has a trailing slash.
      request.url = request.url?.replace(/\/(?=\?|$)/, '') ?? '';
      this.#upgrades.set(request, { request, response, socket, head });
      http.routing(request, response);
    });
  }

  /** @returns undefined if the request is no upgrade */
  of(request: FastifyRequest): Upgrade | undefined {
    return this.#upgrades.get(request.raw);
  }
}
