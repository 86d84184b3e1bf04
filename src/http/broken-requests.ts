import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createUuidV7 } from '../lib/ids.ts';
import type { Clock } from '../lib/clock.ts';
import { commonHeaders } from './common-headers.ts';
import type { Connections } from './connections.ts';
import { failureEnvelope } from './envelope.ts';
import { type ErrorDefinition, errorEntry, httpErrors } from './errors.ts';

/** The refusals of node:http's parser, by its error codes; all others are malformed requests. */
const PARSER_ERRORS: Readonly<Record<string, ErrorDefinition>> = {
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.requestTimeout,
};

/** Answers on the socket what node:http's parser refuses: that never becomes a request. */
export class BrokenRequests {
  readonly #clock: Clock;
  readonly #refused = new WeakSet<Socket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers a broken request and ends its connection. */
  answer(
    error: Error & { code?: string },
    socket: Socket,
    connections: Connections,
    log: FastifyInstance['log'],
  ): void {
    // The parser tells of each further piece of what it has refused.
    if (this.#refused.has(socket)) return;
    // Nothing may be written into the middle of an answer, nor before those that are to come.
    const response = connections.responseOf(socket);
    const isAnswering =
      connections.isPipelined(socket) ||
      (response?.writableFinished === false && response.headersSent);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const definition = PARSER_ERRORS[error.code ?? ''] ?? httpErrors.malformedRequest;
    const id = createUuidV7(this.#clock.now());
    const body = JSON.stringify(failureEnvelope([errorEntry(definition)]));
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...commonHeaders,
      'x-request-id': id,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${definition.status} ${definition.message}\r\n${lines.join('')}\r\n${body}`,
    );
    this.#refused.add(socket);
    discardRest(socket);
    const { status } = definition;
    log.info({ reqId: id, status, reason: error.code, ip: socket.remoteAddress }, 'broken request');
  }
}

// To read the answer takes a client no longer; it may well go on sending for ever.
const DISCARD_MS = 2_000;

/**
 * Takes what the client still sends, for a while. To close a connection with bytes unread resets it, and
 * then the client loses the answer too (RFC 9112 section 9.6).
 */
function discardRest(socket: Socket): void {
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS);
  socket.once('close', () => clearTimeout(timer));
}
