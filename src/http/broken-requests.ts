import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createUuidV7 } from '../lib/ids.ts';
import type { Clock } from '../lib/clock.ts';
import { commonHeaders } from './common-headers.ts';
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
  // The latest response of a connection: nothing may be written into the middle of it.
  readonly #responses = new WeakMap<Socket, ServerResponse>();
  // Connections on which a request came before the answer to the one before it was out.
  readonly #pipelined = new WeakSet<Socket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the server tell of the responses it begins. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      const { socket } = request.raw;
      if (this.#responses.get(socket)?.writableFinished === false) this.#pipelined.add(socket);
      this.#responses.set(socket, reply.raw);
    });
  }

  /** Answers a broken request and ends its connection. */
  answer(error: Error & { code?: string }, socket: Socket, log: FastifyInstance['log']): void {
    const response = this.#responses.get(socket);
    const isAnswering =
      response?.writableFinished === false && (response.headersSent || this.#pipelined.has(socket));
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
    const { status } = definition;
    log.info({ reqId: id, status, reason: error.code, ip: socket.remoteAddress }, 'broken request');
  }
}
