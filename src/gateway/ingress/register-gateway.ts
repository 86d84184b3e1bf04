import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { corsHeaders, isPreflight, preflightHeaders } from '../../http/cors.ts';
import { httpErrors } from '../../http/errors.ts';
import { METHODS } from '../../http/methods.ts';
import type { KnownPath } from '../../http/other-methods.ts';
import { type Admission, admit } from './admit.ts';
import type { Wanted } from '../gateway-request.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { handleRequest } from '../handle-request.ts';
import { headersOfPage } from '../http-headers.ts';
import { errorBody } from '../response/error-body.ts';
import { HttpClientResponse } from '../response/client-response.ts';
import { operations } from '../providers/provider.ts';
import { refuseUnknownPaths } from './refuse-unknown-paths.ts';
import { withChallenge } from './with-challenge.ts';
import { type BodyLimits, RequestBodies, isSmall } from './body-budget.ts';
import { compat, native, universal } from './gateway-host.ts';
import { compatModels, getModel, listModels, restModels } from './models.ts';
import {
  compatModelsDescription,
  describeCompat,
  describeModel,
  describeRest,
  describeRunByPath,
  nativeDescription,
  restModelsDescription,
  runDescription,
  universalDescription,
} from './openapi-operations.ts';
import { restOperation, restRun } from './rest-api.ts';
import {
  type MessageLimits,
  UniversalSockets,
  universalSocket,
} from './websocket/universal-socket.ts';
import { Upgrades } from './websocket/upgrades.ts';
import type { WayIn } from './entry-point.ts';

interface Options extends BodyLimits {
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
  /** Time for a client to send a whole request. */
  requestTimeoutMs: number;
  /** Time for running requests to end when the server stops. */
  shutdownTimeoutMs: number;
}

const HIDDEN = { hide: true };

/** Registers the endpoints of the gateway. */
export async function registerGateway(
  http: FastifyInstance,
  services: GatewayServices,
  { apiPrefix, shutdownTimeoutMs, requestTimeoutMs, ...limits }: Options,
): Promise<void> {
  await http.register(async (gateway) => {
    const bodies = new RequestBodies(limits);
    bodies.addTo(gateway);
    gateway.setErrorHandler(answerError);
    const serve = answerWith(services);
    const paths: KnownPath[] = [];
    const post = (url: string, way: WayIn, schema: object = HIDDEN): void => {
      gateway.route({ method: 'POST', url, schema, ...enter(services, bodies, way, serve) });
      paths.push(knownPath(url, ['POST'], ['POST'], url.startsWith(apiPrefix)));
    };
    const get = (url: string, way: WayIn, serveGet: Serve, schema: object = HIDDEN): void => {
      const hooks = enter(services, bodies, way, serveGet);
      gateway.route({ method: 'GET', url, exposeHeadRoute: false, schema, ...hooks });
      paths.push(knownPath(url, ['GET'], ['GET'], url.startsWith(apiPrefix)));
    };
    const rest = `${apiPrefix}/accounts/:account_id/ai`;
    const host = '/v1/:account_id/:gateway_id';
    for (const operation of operations) {
      post(`${rest}/v1/${operation}`, restOperation(operation), describeRest(operation));
      // For clients that append `/v1` to a base URL that already ends with it.
      post(`${rest}/v1/v1/${operation}`, restOperation(operation));
      post(`${host}/compat/${operation}`, compat(operation), describeCompat(operation));
    }
    post(`${rest}/run`, restRun, runDescription);
    post(`${rest}/run/*`, restRun, describeRunByPath(rest));
    get(`${rest}/v1/models`, restModels, listModels(services), restModelsDescription);
    get(`${rest}/v1/models/*`, restModels, getModel(services), describeModel(rest));
    get(`${rest}/v1/v1/models`, restModels, listModels(services));
    get(`${rest}/v1/v1/models/*`, restModels, getModel(services));
    get(`${host}/compat/models`, compatModels, listModels(services), compatModelsDescription);
    gateway.route({
      method: 'POST',
      url: host,
      schema: universalDescription,
      ...enter(services, bodies, universal, serve),
    });
    // GET opens a WebSocket, and is rejected otherwise.
    paths.push(knownPath(host, ['POST'], ['GET', 'POST']));
    addSockets(gateway, host, services, bodies, {
      shutdownTimeoutMs,
      bodyLimitBytes: limits.bodyLimitBytes,
      requestTimeoutMs,
    });
    const nativeUrl = `${host}/:provider/*`;
    gateway.route({
      method: [...METHODS],
      url: nativeUrl,
      exposeHeadRoute: false,
      schema: nativeDescription,
      ...enter(services, bodies, native, serve),
    });
    paths.push(knownPath(nativeUrl, METHODS));
    gateway.otherMethods.declare(gateway, paths);
    await refuseUnknownPaths(gateway, `${rest}/v1`);
  });
}

/**
 * @param allowed methods that an error lists
 * @param methods methods with a route
 */
function knownPath(
  url: string,
  allowed: readonly string[],
  methods: readonly string[] = allowed,
  isForPages = false,
): KnownPath {
  const error = methodNotAllowed(allowed.join(', '));
  return {
    url,
    methods,
    async refuse(request, reply) {
      if (!isForPages || !isPreflight(request, allowed)) return answerError(error, request, reply);
      const { origin, 'access-control-request-headers': wanted } = request.headers;
      return reply
        .code(204)
        .headers(preflightHeaders(origin, allowed, wanted))
        .send();
    },
  };
}

/** Allows a page to read the response if its origin belongs to the OAuth client. Only on the REST API. */
function allowPage(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  { caller }: Admission,
  way: Wanted['way'],
): void {
  const isRest = way === 'rest' || way === 'run';
  if (origin === undefined || !isRest || caller?.type !== 'oauth') return;
  const headers = corsHeaders(origin, caller.authorization.corsOrigins);
  reply.headers(headers);
  // The gateway writes most responses itself.
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
}

function methodNotAllowed(allowed: string): GatewayError {
  return new GatewayError(httpErrors.methodNotAllowed, { headers: { allow: allowed } });
}

/** Responds to an admitted request. */
type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
  body: Buffer,
) => unknown;

type Done = (error?: Error) => void;

/** The hooks of an endpoint: the request is admitted before its body is read. */
function enter(services: GatewayServices, bodies: RequestBodies, way: WayIn, serve: Serve) {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  const admitRequest = async (request: FastifyRequest): Promise<Admission> => {
    const approach = way.approach(request);
    try {
      return await admit(services, approach);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const { credential } = approach;
      const { origin } = request.headers;
      throw withChallenge(error, way.wanted(request), { credential, origin });
    }
  };
  /** Decodes a compressed body, unless it is forwarded byte for byte. */
  const serveDecoded: Serve = (request, reply, admission, body) => {
    allowPage(request, reply, admission, way.wanted(request).way);
    const coding = codingOf(request);
    if (coding === undefined || body.length === 0 || way.wanted(request).way === 'native') {
      return serve(request, reply, admission, body);
    }
    return bodies.decode(body, coding, reply.raw).then((decoded) => {
      removeCoding(request);
      serve(request, reply, admission, decoded);
    });
  };
  /** @returns false if Fastify is not to continue with the request */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    // A listener that is attached later would make Node.js buffer the body first.
    const early = isOrdinary(request) && isSmall(request) ? readBody(bodies, request) : undefined;
    // The error is handled below, if the request is admitted.
    early?.catch(() => {});
    const admission = await admitRequest(request);
    bodies.expect(request, reply.raw);
    if (!isOrdinary(request)) {
      admissions.set(request, admission);
      return true;
    }
    let body: Buffer;
    try {
      body = await (early ?? readBody(bodies, request));
    } catch (error) {
      reply.header('connection', 'close');
      throw error;
    }
    await serveDecoded(request, reply, admission, body);
    return false;
  };
  const run = async (request: FastifyRequest, reply: FastifyReply, done: Done): Promise<void> => {
    try {
      if (await begin(request, reply)) done();
    } catch (error) {
      done(error as Error);
    }
  };
  return {
    config: { way },
    onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      void run(request, reply, done);
    },
    handler(request: FastifyRequest, reply: FastifyReply): unknown {
      const admission = admissions.get(request);
      if (admission === undefined) throw new Error('the request was not admitted');
      const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
      return serveDecoded(request, reply, admission, body);
    },
  };
}

/**
 * Reads the body of an ordinary request.
 * @throws GatewayError if it is too large or breaks off
 */
function readBody(bodies: RequestBodies, request: FastifyRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    bodies.read(request, (error, body = NO_BODY) =>
      error === null ? resolve(body) : reject(error),
    );
  });
}

/** Returns the content coding of the body; undefined: none. */
function codingOf({ headers }: FastifyRequest): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

const NO_BODY = Buffer.alloc(0);
const ORDINARY_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json; charset=utf-8',
]);

/**
 * Returns true for requests that need none of Fastify's parsers, only their body. Most requests to the gateway are such
 * requests, and bypass the hooks and parsers, which take longer than the gateway itself.
 */
function isOrdinary({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && ORDINARY_TYPES.has(headers['content-type'] ?? '');
}

/** Responds with the response of a provider. */
function answerWith(services: GatewayServices): Serve {
  return (request, reply, admission, body) => {
    const exchange = {
      method: request.method,
      headers: request.headers,
      rawHeaders: rawHeadersOf(request, admission),
      client: new HttpClientResponse(reply.raw),
      requestId: request.id,
      log: request.log,
      admission,
      wanted: wantedBy(request),
      body,
      receivedAtMs: services.clock.now(),
    };
    // From here on, the gateway writes the response to the socket itself.
    reply.hijack();
    void handleRequest(services, exchange);
  };
}

function rawHeadersOf({ raw }: FastifyRequest, { caller }: Admission): readonly string[] {
  return caller?.type === 'user' ? headersOfPage(raw.rawHeaders) : raw.rawHeaders;
}

/** Removes `content-encoding` after the body was decoded. */
function removeCoding({ headers, raw }: FastifyRequest): void {
  const { rawHeaders } = raw;
  const isCoding = (name = ''): boolean => name.toLowerCase() === 'content-encoding';
  delete headers['content-encoding'];
  raw.rawHeaders = rawHeaders.filter((_, index) => !isCoding(rawHeaders[index - (index % 2)]));
}

/** Registers universal requests over WebSocket, on the path of those over HTTP. */
function addSockets(
  gateway: FastifyInstance,
  url: string,
  services: GatewayServices,
  bodies: RequestBodies,
  { shutdownTimeoutMs, ...limits }: MessageLimits & { shutdownTimeoutMs: number },
): void {
  const upgrades = new Upgrades();
  const sockets = new UniversalSockets(services, bodies, limits);
  upgrades.listen(gateway);
  gateway.addHook('preClose', async () => sockets.stop(shutdownTimeoutMs));
  const open: Serve = (request, reply, { caller }) => {
    const upgrade = upgrades.of(request);
    if (upgrade === undefined) throw methodNotAllowed('POST');
    if (caller === undefined && isForeignPage(request, services))
      throw new GatewayError(httpErrors.forbidden);
    sockets.open(upgrade, request, reply);
  };
  const hooks = enter(services, bodies, universalSocket, open);
  gateway.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    schema: HIDDEN,
    ...hooks,
    onRequest(request, reply, done) {
      if (upgrades.of(request) === undefined) throw methodNotAllowed('POST');
      return hooks.onRequest(request, reply, done);
    },
  });
}

/**
 * Returns true for a request of a foreign web page (RFC 6455 section 10.2). Browsers let any page open a connection to every
 * host in the user's network and read from it, so a gateway that is open to a network must reject other pages.
 */
function isForeignPage({ headers }: FastifyRequest, { ownOrigins }: GatewayServices): boolean {
  return headers.origin !== undefined && !ownOrigins().includes(headers.origin);
}

const OTHER_METHOD: Wanted = { way: 'rest', operation: 'chat/completions' };

function wantedBy(request: FastifyRequest): Wanted {
  return request.routeOptions.config.way?.wanted(request) ?? OTHER_METHOD;
}

/** Responds to errors from before {@link handleRequest}: no credential, a body that is too large, an incomplete body. */
async function answerError(
  thrown: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const error = asGatewayError(thrown);
  const { status, headers } = error;
  if (status >= 500) request.server.failureLog.note(request, status, thrown, 'the gateway failed');
  await reply
    .code(status)
    .headers(headers)
    .send(errorBody(wantedBy(request), error));
}
