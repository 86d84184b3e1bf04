import { type IncomingMessage, type Server, createServer } from 'node:http';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  fastify,
} from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { redactFormsIn } from '../lib/credential-forms.ts';
import { createUuidV7 } from '../lib/ids.ts';
import { BrokenRequests } from './broken-requests.ts';
import { commonHeaders } from './common-headers.ts';
import { clientAddresses } from './client-address.ts';
import { Connections } from './connections.ts';
import { failureEnvelope } from './envelope.ts';
import {
  ApiError,
  type ErrorDefinition,
  type TroubleOf,
  apiError,
  httpErrors,
  notFound,
  unavailable,
} from './errors.ts';
import { FailureLog } from './failure-log.ts';
import { OtherMethods } from './other-methods.ts';
import { JsonSyntaxError, parseJson } from './parse-json.ts';
import { PROBLEM_TYPE, asksForProblem, problem } from './problem-json.ts';
import { serializerCompiler } from './serialization.ts';
import {
  invalidBodyError,
  invalidParameterError,
  malformedBodyError,
  noteSize,
  validatorCompiler,
} from './validation.ts';

export interface HttpSettings {
  /** Largest body of the management API. */
  bodyLimitBytes: number;
  /** Maximum nesting depth of a JSON body. */
  jsonMaxDepth: number;
  /** Maximum total size of request headers. */
  headerLimitBytes: number;
  /** Time for a client to send its request headers. */
  headersTimeoutMs: number;
  /** Time for a client to send its whole request. */
  requestTimeoutMs: number;
  /** Maximum time during which a client does not read its response. */
  sendTimeoutMs: number;
  /** Connections at once; 0: as many as the process can have files open for. */
  maxConnections: number;
  /** Connections at once from one IPv4 address or one IPv6 /48; 0: any number. */
  maxConnectionsPerAddress: number;
  /** Proxies whose `x-forwarded-for` the server trusts: addresses and CIDR ranges. */
  trustProxy: string[];
  logLevel: string;
}

/** Where log lines go, when not to standard output. */
export interface LogDestination {
  write(line: string): void;
}

export interface HttpServerOptions {
  logDestination?: LogDestination | undefined;
  /** What an error says about that on which the server stands. */
  troubleOf?: TroubleOf;
  /** Which requests may leave HTTP: they go to the server's `upgrade` listeners. All others are served as ever. */
  isUpgrade?: (request: IncomingMessage) => boolean;
}

// Longer than proxies keep their connections, which must not end on their side first.
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
// A tag key may have 256 characters of 4 bytes, each of them percent-encoded.
const MAX_PARAM_LENGTH = 256 * 4 * 3;

/**
 * The bare HTTP server: limits, request ids, JSON parsing, the envelope for every failure, security
 * headers and the access log. It has no routes yet.
 */
export function createHttpServer(
  settings: HttpSettings,
  clock: Clock,
  { logDestination, troubleOf = () => undefined, isUpgrade = () => false }: HttpServerOptions = {},
): FastifyInstance {
  const brokenRequests = new BrokenRequests(clock);
  const server = createNodeServer(settings, isUpgrade);
  const connections = new Connections(server, settings, (facts, message) =>
    app.log.error(facts, message),
  );
  const app: FastifyInstance = fastify({
    serverFactory: (serve) => connections.serveBy(serve),
    logger: {
      level: settings.logLevel,
      ...(logDestination === undefined ? {} : { stream: logDestination }),
    },
    // The access log below says what Fastify's own two lines a request would.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: settings.bodyLimitBytes,
    genReqId: () => createUuidV7(clock.now()),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: answerUnroutable,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the server drains is still served.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      brokenRequests.answer(error, socket, connections, app.log),
  });
  app.decorate('connections', connections);
  // Replaces Fastify's property, which contains any text that a proxy sends.
  const addressOf = clientAddresses(settings.trustProxy);
  app.decorateRequest('ip', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw);
    },
  });
  app.addHook('preClose', (done) => {
    // Whoever stops the server waits for the end; see drain.ts.
    void connections.close();
    done();
  });
  // An expectation that this server does not know is ignored, not answered outside of the envelope.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.setValidatorCompiler(validatorCompiler(undefined));
  app.setSerializerCompiler(serializerCompiler());
  addJsonParser(app, settings.jsonMaxDepth);
  addResponseHeaders(app);
  app.decorate('failureLog', new FailureLog());
  app.decorate('otherMethods', new OtherMethods(MAX_PARAM_LENGTH));
  addFirstChecks(app);
  if (ACCESS_LOG_LEVELS.has(settings.logLevel)) addAccessLog(app);
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) =>
    answerError(toApiError(error, request, troubleOf), request, reply),
  );
  app.setNotFoundHandler((request) => {
    throw notFound(pathOf(request));
  });
  return app;
}

function createNodeServer(
  settings: HttpSettings,
  isUpgrade: (request: IncomingMessage) => boolean,
): Server {
  return createServer({
    maxHeaderSize: settings.headerLimitBytes,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
    // Checked below instead, where the refusal gets its envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: isUpgrade,
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function addJsonParser(app: FastifyInstance, maxDepth: number): void {
  app.removeAllContentTypeParsers();
  const parse = (
    request: FastifyRequest,
    bytes: Buffer,
    done: (error: Error | null, body?: unknown) => void,
  ): void => {
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    const unsupported = unsupportedEncoding(request);
    if (unsupported !== undefined) {
      done(unsupported);
      return;
    }
    try {
      const { value, values } = parseJson(bytes, maxDepth);
      noteSize(value, values);
      done(null, value);
    } catch (error) {
      const reason = error instanceof JsonSyntaxError ? error.message : 'not JSON';
      done(malformedBodyError(reason, request.routeOptions.config.bodyFaults));
    }
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
  app.addContentTypeParser(MERGE_PATCH, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (request.method === 'PATCH') parse(request, bytes, done);
    else done(apiError(httpErrors.notJson, { message: `${MERGE_PATCH} is only for PATCH` }));
  });
}

/** RFC 7396. */
const MERGE_PATCH = 'application/merge-patch+json';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/** The refusal of a body in another encoding than UTF-8, or with a content coding; undefined: neither. */
function unsupportedEncoding({ headers }: FastifyRequest): ApiError | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') {
    return apiError(httpErrors.notJson, {
      message: `Unsupported content encoding ${coding.slice(0, MAX_NAME)}: send the body without one`,
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (UTF_8.has(charset)) return undefined;
  return apiError(httpErrors.notJson, {
    message: `Unsupported charset ${charset.slice(0, MAX_NAME)}: send JSON in UTF-8`,
  });
}

const MAX_NAME = 40;

function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders);
    reply.header('x-request-id', request.id);
    done();
  });
}

/** What node:http lets through and no route should have to think of. */
function addFirstChecks(app: FastifyInstance): void {
  // Hooks of all requests are no async functions: what each of them throws is caught all the same.
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, url } = request;
    const known = request.is404 ? app.otherMethods.find(request) : undefined;
    // Before the body: nobody would look at it.
    if (request.is404 && known === undefined) throw notFound(pathOf(request));
    // PostgreSQL cannot store NUL, and no name of ours has one.
    if (url.includes('%00')) {
      throw apiError(httpErrors.invalidParameter, {
        message: 'Invalid request parameter: the URL contains a NUL character',
      });
    }
    // RFC 9112 section 3.2.
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw apiError(httpErrors.malformedRequest, {
        message: `${httpErrors.malformedRequest.message}: Host header is missing`,
      });
    }
    // The same section; a proxy in front may have gone by the other one.
    if (countHeaders(raw, 'host') > 1) {
      throw apiError(httpErrors.malformedRequest, {
        message: `${httpErrors.malformedRequest.message}: duplicate Host header`,
      });
    }
    // node:http takes the first and hides the others; a proxy in front may have read another one.
    if (raw.headers.authorization !== undefined && countHeaders(raw, 'authorization') > 1) {
      throw apiError(httpErrors.malformedAuthorization, {
        message: `${httpErrors.malformedAuthorization.message}: duplicate Authorization header`,
      });
    }
    return known === undefined ? done() : known.refuse(request, reply);
  });
}

function countHeaders({ rawHeaders }: { rawHeaders: string[] }, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] ?? '';
    if (candidate.length === name.length && candidate.toLowerCase() === name) count++;
  }
  return count;
}

/** On which lines of the level `info` are written. */
const ACCESS_LOG_LEVELS: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);

/**
 * One line a request, without query, headers or bodies. Somebody may still have put a credential into
 * the path.
 */
function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logAccess(request, reply);
    done();
  });
}

function logAccess(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      path: redactFormsIn(pathOf(request)),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      ip: request.ip,
    },
    'request',
  );
}

/** Fastify's own refusals, by its error codes. */
const FASTIFY_ERRORS: Readonly<Record<string, ErrorDefinition>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.notJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: httpErrors.malformedRequest,
};

function toApiError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  troubleOf: TroubleOf,
): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation !== undefined) {
    const { bodyFaults } = request.routeOptions.config;
    return error.validationContext === 'body' && bodyFaults !== undefined
      ? invalidBodyError(error.validation, bodyFaults)
      : invalidParameterError(error.validation);
  }
  const trouble = troubleOf(error);
  if (trouble !== undefined) {
    return unavailable(trouble.reason, error, trouble.retryAfterSeconds);
  }
  return apiError(FASTIFY_ERRORS[error.code] ?? otherDefinition(error, request), { cause: error });
}

function otherDefinition(error: FastifyError, request: FastifyRequest): ErrorDefinition {
  // The client broke off in the middle of its body; nobody will read the answer.
  if (error === request.raw.errored) return httpErrors.malformedRequest;
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const isRefusal = code.startsWith('FST_ERR_') && statusCode < 500;
  return isRefusal ? httpErrors.malformedRequest : httpErrors.internal;
}

async function answerError(
  refusal: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (refusal.status >= 500 && refusal.cause !== undefined) {
    // The wire hears something generic; the cause stands in the log under the same request id.
    request.server.failureLog.note(request, refusal.status, refusal.cause, 'request failed');
  }
  return sendFailure(refusal, request, reply);
}

/** The failure in the shape that the client asked for: the envelope, or a problem (RFC 9457). */
function sendFailure(
  refusal: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, entries, headers } = refusal;
  reply.code(status).headers(headers);
  // What a route or a plugin lets its answer vary by stays.
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept' : `${String(vary)}, accept`);
  if (!asksForProblem(request.headers.accept))
    return reply.send(failureEnvelope(entries, refusal.result));
  return reply.type(PROBLEM_TYPE).send(problem(status, entries, request.id));
}

/**
 * A path with a broken percent escape, or with a part longer than any name of ours: it names nothing.
 * Fastify finds that before it has a route, so no hook runs.
 */
function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal =
    error.statusCode === 500 ? apiError(httpErrors.internal) : notFound(pathOf(request));
  reply.raw.once('close', () => logAccess(request, reply));
  reply.headers(commonHeaders);
  reply.header('x-request-id', request.id);
  sendFailure(refusal, request, reply);
}
