import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  type ErrorDefinition,
  apiError,
  httpErrors,
  unavailable,
} from '../http/errors.ts';
import { type Admission, authenticate } from './authenticate.ts';
import { type Approach, type Exchange, type Wanted, refusalBody, refuse } from './exchange.ts';
import { forward } from './forward.ts';
import type { GatewayServices } from './gateway-services.ts';
import { HttpOutlet } from './outlet.ts';
import { operations } from './providers/provider.ts';
import { type BodyLimits, RequestBodies } from './request-bodies.ts';
import { compat, native, universal } from './ways/gateway-host.ts';
import { operationSchemas, runSchema } from './ways/operation-schemas.ts';
import { restOperation, restRun } from './ways/rest-api.ts';
import type { WayIn } from './ways/way-in.ts';

interface Options extends BodyLimits {
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
}

/** Registers the ways into the gateway. */
export async function registerGateway(
  http: FastifyInstance,
  services: GatewayServices,
  { apiPrefix, ...limits }: Options,
): Promise<void> {
  await http.register(async (gateway) => {
    const bodies = new RequestBodies(limits);
    bodies.addTo(gateway);
    gateway.setErrorHandler(answerError);
    const post = (url: string, way: WayIn, schema: object = { hide: true }): void => {
      gateway.route({ method: 'POST', url, schema, ...enter(services, bodies, way) });
      refuseOtherMethods(gateway, url);
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
    post(host, universal);
    gateway.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: `${host}/:provider/*`,
      exposeHeadRoute: false,
      schema: { hide: true },
      ...enter(services, bodies, native),
    });
  });
}

function refuseOtherMethods(gateway: FastifyInstance, url: string): void {
  gateway.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    exposeHeadRoute: false,
    schema: { hide: true },
    onRequest: refuseMethod,
    handler: refuseMethod,
  });
}

async function refuseMethod(): Promise<never> {
  throw apiError(httpErrors.methodNotAllowed, { headers: { allow: 'POST' } });
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

/** The hooks of a way in: the caller is admitted before the body is read. */
function enter(services: GatewayServices, bodies: RequestBodies, way: WayIn) {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  return {
    config: { way },
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const admission = await admit(services, way.approach(request));
      if ('code' in admission) return answerRefusal(request, reply, admission);
      admissions.set(request, admission);
      bodies.expect(request, reply.raw);
    },
    handler(request: FastifyRequest, reply: FastifyReply): void {
      const admission = admissions.get(request);
      if (admission === undefined) throw new Error('the request was not admitted');
      // From here on the answer is written to the socket as it comes.
      reply.hijack();
      const outlet = new HttpOutlet(reply.raw);
      const exchange: Exchange = {
        method: request.method,
        headers: request.headers,
        rawHeaders: request.raw.rawHeaders,
        outlet,
        requestId: request.id,
        log: request.log,
        admission,
        wanted: way.wanted(request),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        receivedAtMs: services.clock.now(),
      };
      forward(services, exchange).catch((error: unknown) => {
        request.log.error({ err: error }, 'the gateway failed');
        if (outlet.hasBegun) outlet.cut();
        else refuse(exchange, httpErrors.internal);
      });
    },
  };
}

/** Refuses before the exchange exists. */
async function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ErrorDefinition,
): Promise<void> {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  const { way } = request.routeOptions.config;
  await reply.code(error.status).send(refusalBody(way?.wanted(request) ?? OTHER_METHOD, error));
}

const OTHER_METHOD: Wanted = { way: 'rest', operation: 'chat/completions' };

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
