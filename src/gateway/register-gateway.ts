import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  type ErrorDefinition,
  apiError,
  httpErrors,
  unavailable,
} from '../http/errors.ts';
import { type Admission, authenticate } from './authenticate.ts';
import { carryOut } from './carry-out.ts';
import { type Approach, type Wanted, refusalBody } from './exchange.ts';
import type { GatewayServices } from './gateway-services.ts';
import { HttpOutlet } from './outlet.ts';
import { operations } from './providers/provider.ts';
import { type BodyLimits, RequestBodies } from './request-bodies.ts';
import { compat, native, universal } from './ways/gateway-host.ts';
import { compatModels, getModel, listModels, restModels } from './ways/models.ts';
import {
  getModelSchema,
  listModelsSchema,
  operationSchemas,
  runSchema,
} from './ways/operation-schemas.ts';
import { restOperation, restRun } from './ways/rest-api.ts';
import { UniversalSockets, universalSocket } from './ways/universal-socket.ts';
import { Upgrades } from './ways/upgrades.ts';
import type { WayIn } from './ways/way-in.ts';

interface Options extends BodyLimits {
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
  /** Time for running requests to end when the server stops. */
  shutdownTimeoutMs: number;
}

const HIDDEN = { hide: true };

/** Registers the ways into the gateway. */
export async function registerGateway(
  http: FastifyInstance,
  services: GatewayServices,
  { apiPrefix, shutdownTimeoutMs, ...limits }: Options,
): Promise<void> {
  await http.register(async (gateway) => {
    const bodies = new RequestBodies(limits);
    bodies.addTo(gateway);
    gateway.setErrorHandler(answerError);
    const serve = answerWith(services);
    const post = (url: string, way: WayIn, schema: object = HIDDEN): void => {
      gateway.route({ method: 'POST', url, schema, ...enter(services, bodies, way, serve) });
      refuseMethods(gateway, url, ['GET', ...OTHERS], 'POST');
    };
    const get = (url: string, way: WayIn, serveGet: Serve, schema: object = HIDDEN): void => {
      const hooks = enter(services, bodies, way, serveGet);
      gateway.route({ method: 'GET', url, exposeHeadRoute: false, schema, ...hooks });
      refuseMethods(gateway, url, ['POST', ...OTHERS], 'GET');
    };
    const rest = `${apiPrefix}/accounts/:account_id/ai`;
    const host = '/v1/:account_id/:gateway_id';
    for (const operation of operations) {
      post(`${rest}/v1/${operation}`, restOperation(operation), operationSchemas[operation]);
      // Clients that add `/v1` themselves to a base address that has it already.
      post(`${rest}/v1/v1/${operation}`, restOperation(operation));
      post(`${host}/compat/${operation}`, compat(operation));
    }
    post(`${rest}/run`, restRun);
    post(`${rest}/run/*`, restRun, runSchema);
    get(`${rest}/v1/models`, restModels, listModels(services), listModelsSchema);
    get(`${rest}/v1/models/*`, restModels, getModel(services), getModelSchema);
    get(`${rest}/v1/v1/models`, restModels, listModels(services));
    get(`${rest}/v1/v1/models/*`, restModels, getModel(services));
    get(`${host}/compat/models`, compatModels, listModels(services));
    gateway.route({
      method: 'POST',
      url: host,
      schema: HIDDEN,
      ...enter(services, bodies, universal, serve),
    });
    refuseMethods(gateway, host, OTHERS, 'POST');
    addSockets(gateway, host, services, bodies, {
      shutdownTimeoutMs,
      bodyLimitBytes: limits.bodyLimitBytes,
    });
    gateway.route({
      method: ['GET', 'POST', ...OTHERS],
      url: `${host}/:provider/*`,
      exposeHeadRoute: false,
      schema: HIDDEN,
      ...enter(services, bodies, native, serve),
    });
  });
}

/** Beside GET and POST. */
const OTHERS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function refuseMethods(
  gateway: FastifyInstance,
  url: string,
  methods: string[],
  allowed: string,
): void {
  const refuseMethod = async (): Promise<never> => {
    throw methodNotAllowed(allowed);
  };
  gateway.route({
    method: methods,
    url,
    exposeHeadRoute: false,
    schema: HIDDEN,
    onRequest: refuseMethod,
    handler: refuseMethod,
  });
}

function methodNotAllowed(allowed: string): ApiError {
  return apiError(httpErrors.methodNotAllowed, { headers: { allow: allowed } });
}

/** @throws ApiError 1001 when the caller is not known yet and the database cannot be asked */
async function admit(
  services: GatewayServices,
  approach: Approach,
): Promise<Admission | ErrorDefinition> {
  try {
    return await authenticate(services, approach);
  } catch (error) {
    if (!services.database.isUnavailable(error)) throw error;
    throw unavailable('storage cannot be reached', error);
  }
}

/** Answers a request that was let in. */
type Serve = (request: FastifyRequest, reply: FastifyReply, admission: Admission) => unknown;

/** The hooks of a way in: the caller is admitted before the body is read. */
function enter(services: GatewayServices, bodies: RequestBodies, way: WayIn, serve: Serve) {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  return {
    config: { way },
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const admission = await admit(services, way.approach(request));
      if ('code' in admission) return answerRefusal(request, reply, admission);
      admissions.set(request, admission);
      bodies.expect(request, reply.raw);
    },
    handler(request: FastifyRequest, reply: FastifyReply): unknown {
      const admission = admissions.get(request);
      if (admission === undefined) throw new Error('the request was not admitted');
      return serve(request, reply, admission);
    },
  };
}

/** Answers with what a provider does. */
function answerWith(services: GatewayServices): Serve {
  return (request, reply, admission) => {
    // From here on the answer is written to the socket as it comes.
    reply.hijack();
    void carryOut(services, {
      method: request.method,
      headers: request.headers,
      rawHeaders: request.raw.rawHeaders,
      outlet: new HttpOutlet(reply.raw),
      requestId: request.id,
      log: request.log,
      admission,
      wanted: wantedBy(request),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      receivedAtMs: services.clock.now(),
    });
  };
}

/** Universal requests over WebSocket, on the path of those over HTTP: GET serves nothing else there. */
function addSockets(
  gateway: FastifyInstance,
  url: string,
  services: GatewayServices,
  bodies: RequestBodies,
  { bodyLimitBytes, shutdownTimeoutMs }: { bodyLimitBytes: number; shutdownTimeoutMs: number },
): void {
  const upgrades = new Upgrades();
  const sockets = new UniversalSockets(services, bodies, bodyLimitBytes);
  upgrades.listen(gateway);
  gateway.addHook('preClose', async () => sockets.stop(shutdownTimeoutMs));
  const open: Serve = (request, reply) => {
    const upgrade = upgrades.of(request);
    if (upgrade === undefined) throw methodNotAllowed('POST');
    sockets.open(upgrade, request, reply);
  };
  const hooks = enter(services, bodies, universalSocket, open);
  gateway.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    schema: HIDDEN,
    ...hooks,
    async onRequest(request, reply) {
      if (upgrades.of(request) === undefined) throw methodNotAllowed('POST');
      return hooks.onRequest(request, reply);
    },
  });
}

/** Refuses before the exchange exists. */
async function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ErrorDefinition,
): Promise<void> {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(error.status).send(refusalBody(wantedBy(request), error));
}

const OTHER_METHOD: Wanted = { way: 'rest', operation: 'chat/completions' };

function wantedBy(request: FastifyRequest): Wanted {
  return request.routeOptions.config.way?.wanted(request) ?? OTHER_METHOD;
}

/** Errors from before the exchange exists: a malformed request, a body that is too large or broke off. */
async function answerError(
  error: ApiError | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const definition = definitionOf(error);
  if (error instanceof ApiError) reply.headers(error.headers);
  if (definition.status >= 500) request.log.error({ err: error }, 'the gateway failed');
  await answerRefusal(request, reply, definition);
}

function definitionOf(error: ApiError | FastifyError): ErrorDefinition {
  if (error instanceof ApiError) {
    const [{ code, message } = httpErrors.internal] = error.entries;
    return { status: error.status, code, message };
  }
  return (error.statusCode ?? 500) < 500 ? httpErrors.malformedRequest : httpErrors.internal;
}
