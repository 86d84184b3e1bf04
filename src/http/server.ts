import type { Socket } from 'node:net';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  fastify,
} from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { createUuidV7 } from '../lib/ids.ts';
import { failureEnvelope } from './envelope.ts';
import {
  ApiError,
  type ErrorDefinition,
  apiError,
  errorEntry,
  httpErrors,
  notFound,
} from './errors.ts';
import { JsonSyntaxError, parseJson } from './parse-json.ts';
import {
  compileValidator,
  invalidBodyError,
  invalidParameterError,
  malformedBodyError,
} from './validation.ts';

export interface HttpSettings {
  /** Largest body of the management API. */
  bodyLimitBytes: number;
  /** Deepest nesting of a JSON body. */
  jsonMaxDepth: number;
  /** Largest block of request headers. */
  headerLimitBytes: number;
  /** Time for a client to send its request headers. */
  headersTimeoutMs: number;
  /** Time for a client to send its whole request. */
  requestTimeoutMs: number;
  /** Proxies whose `x-forwarded-for` is believed: addresses and CIDR ranges. */
  trustProxy: string[];
  logLevel: string;
}

/** Where log lines go, when not to standard output. */
export interface LogDestination {
  write(line: string): void;
}

// A tag key may have 256 characters of 4 bytes, each of them percent-encoded.
const MAX_PARAM_LENGTH = 256 * 4 * 3;

/**
 * The bare HTTP server: limits, request ids, JSON parsing, the envelope for every failure, security
 * headers and the access log. It has no routes yet.
 */
export function createHttpServer(
  settings: HttpSettings,
  clock: Clock,
  logDestination?: LogDestination,
): FastifyInstance {
  const app = fastify({
    logger: {
      level: settings.logLevel,
      ...(logDestination === undefined ? {} : { stream: logDestination }),
    },
    // The access log below says what Fastify's own two lines a request would.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    genReqId: () => createUuidV7(clock.now()),
    requestIdHeader: false,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      maxHeaderSize: settings.headerLimitBytes,
      headersTimeout: settings.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      // A path with a broken percent escape names nothing.
      onBadUrl(path, _request, response) {
        answerRaw(response, httpErrors.notFound, notFound(path).message, clock);
      },
    },
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the server drains is still served.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, clock),
  });
  app.setValidatorCompiler(compileValidator);
  addJsonParser(app, settings.jsonMaxDepth);
  addResponseHeaders(app);
  addAccessLog(app);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request) => {
    throw notFound(request.url.split('?', 1)[0] ?? '');
  });
  return app;
}

function addJsonParser(app: FastifyInstance, maxDepth: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, text: string, done) => {
      if (text === '') {
        done(null, undefined);
        return;
      }
      try {
        done(null, parseJson(text, maxDepth));
      } catch (error) {
        const reason = error instanceof JsonSyntaxError ? error.message : 'not JSON';
        done(malformedBodyError(reason, request.routeOptions.config.bodyFaults));
      }
    },
  );
}

function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    // PostgreSQL cannot store NUL, and no name of ours has one.
    if (request.url.includes('%00')) {
      throw apiError(httpErrors.invalidParameter, {
        message: 'Invalid request parameter: the address holds a NUL character',
      });
    }
  });
}

/** One line a request, without query, headers or bodies: nothing secret can be in it. */
function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 100) / 100,
        ip: request.ip,
      },
      'request',
    );
  });
}

/** Fastify's own refusals, by its error codes. */
const FASTIFY_ERRORS: Readonly<Record<string, ErrorDefinition>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.notJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: httpErrors.malformedRequest,
};

function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation !== undefined) {
    return error.validationContext === 'body'
      ? invalidBodyError(error.validation, request.routeOptions.config.bodyFaults)
      : invalidParameterError(error.validation);
  }
  return apiError(FASTIFY_ERRORS[error.code] ?? httpErrors.internal, { cause: error });
}

async function handleError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: Parameters<Parameters<FastifyInstance['setErrorHandler']>[0]>[2],
): Promise<unknown> {
  const refusal = toApiError(error, request);
  if (refusal.status >= 500) {
    // The wire hears something generic; the cause stands in the log under the same request id.
    request.log.error({ err: refusal.cause ?? refusal }, 'request failed');
  }
  reply.headers(refusal.headers);
  return reply.code(refusal.status).send(failureEnvelope(refusal.entries));
}

interface RawResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

function answerRaw(
  response: RawResponse,
  definition: ErrorDefinition,
  message: string,
  clock: Clock,
): void {
  response.writeHead(definition.status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': createUuidV7(clock.now()),
  });
  response.end(JSON.stringify(failureEnvelope([errorEntry(definition, { message })])));
}

/** What the parser of node:http refuses never becomes a request: it is answered on the socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  let definition: ErrorDefinition = httpErrors.malformedRequest;
  if (error.code === 'HPE_HEADER_OVERFLOW') definition = httpErrors.headersTooLarge;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') definition = httpErrors.requestTimeout;
  answerRaw(
    {
      writeHead(status, headers) {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`HTTP/1.1 ${status} ${definition.message}\r\n${lines.join('')}`);
      },
      end(body) {
        socket.end(
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
      },
    },
    definition,
    definition.message,
    clock,
  );
}
