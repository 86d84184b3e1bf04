import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPreflight, preflightHeaders } from '../../http/cors.ts';
import { notFound } from '../../http/errors.ts';
import { METHODS } from '../../http/methods.ts';
import type { KnownPath } from '../../http/other-methods.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import type { GatewayRuntime } from '../execution/gateway-runtime.ts';
import { handleRequest } from '../handle-request.ts';
import { headersOfPage } from '../http-headers.ts';
import { operations } from '../providers/provider.ts';
import { HttpClientResponse } from './http-client-response.ts';
import { BodyBudget, type BodyLimits } from './body-budget.ts';
import { type EntryPoint, type Serve, endpointHooks, targetOf } from './endpoint.ts';
import { compat, native, universal } from './gateway-host.ts';
import type { IngressServices } from './ingress-services.ts';
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
import { methodNotAllowed, respondWithError } from './respond-with-error.ts';
import { restOperation, restRun } from './rest-api.ts';
import { type SocketOptions, registerSockets } from './websocket/register-sockets.ts';

export interface IngressOptions extends BodyLimits, Omit<SocketOptions, 'url'> {
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
}

const HIDDEN = { hide: true };

/** Registers the endpoints of the gateway. */
export async function registerGateway(
  http: FastifyInstance,
  services: IngressServices,
  { apiPrefix, ...options }: IngressOptions,
): Promise<void> {
  await http.register(async (gateway) => {
    const bodies = new BodyBudget(options);
    bodies.addTo(gateway);
    gateway.setErrorHandler(respondWithError);
    const paths: KnownPath[] = [];
    const hooks = (entryPoint: EntryPoint, serve: Serve = serveRequest(services.runtime)) =>
      endpointHooks(services.admission, bodies, { entryPoint, serve });
    const post = (url: string, entryPoint: EntryPoint, schema: object = HIDDEN): void => {
      gateway.route({ method: 'POST', url, schema, ...hooks(entryPoint) });
      paths.push(knownPath(url, ['POST'], { isForPages: url.startsWith(apiPrefix) }));
    };
    const get = (url: string, entryPoint: EntryPoint, serve: Serve, schema: object = HIDDEN) => {
      const getHooks = hooks(entryPoint, serve);
      gateway.route({ method: 'GET', url, exposeHeadRoute: false, schema, ...getHooks });
      paths.push(knownPath(url, ['GET'], { isForPages: url.startsWith(apiPrefix) }));
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
      ...hooks(universal),
    });
    // GET opens a WebSocket, and is rejected otherwise.
    paths.push(knownPath(host, ['POST'], { methods: ['GET', 'POST'] }));
    registerSockets(gateway, services, bodies, { ...options, url: host });
    const nativeUrl = `${host}/:provider/*`;
    gateway.route({
      method: [...METHODS],
      url: nativeUrl,
      exposeHeadRoute: false,
      schema: nativeDescription,
      ...hooks(native),
    });
    paths.push(knownPath(nativeUrl, METHODS));
    gateway.otherMethods.declare(gateway, paths);
    await refuseUnknownPaths(gateway, `${rest}/v1`);
  });
}

interface PathOptions {
  /** Methods with a route. Default: the allowed ones. */
  methods?: readonly string[];
  /** Pages of other origins may use the path. */
  isForPages?: boolean;
}

/** @param allowed methods that an error lists */
function knownPath(
  url: string,
  allowed: readonly string[],
  { methods = allowed, isForPages = false }: PathOptions = {},
): KnownPath {
  const error = methodNotAllowed(allowed.join(', '));
  return {
    url,
    methods,
    async refuse(request, reply) {
      if (!isForPages || !isPreflight(request, allowed)) {
        return respondWithError(error, request, reply);
      }
      const { origin, 'access-control-request-headers': requested } = request.headers;
      return reply
        .code(204)
        .headers(preflightHeaders(origin, allowed, requested))
        .send();
    },
  };
}

/**
 * Has the error handler of the gateway respond to unknown paths below a prefix, so that the error has the format of the
 * OpenAI API.
 * @param gateway with the error handler
 * @param prefix path as Fastify takes it
 */
async function refuseUnknownPaths(gateway: FastifyInstance, prefix: string): Promise<void> {
  await gateway.register(
    async (scope) => {
      scope.setNotFoundHandler(({ url }) => {
        throw notFound(url.split('?', 1)[0] ?? '');
      });
    },
    { prefix },
  );
}

/** Passes admitted requests to {@link handleRequest}, which writes the responses. */
function serveRequest(runtime: GatewayRuntime): Serve {
  return (request, reply, { gateway, caller }, body) => {
    const gatewayRequest: GatewayRequest = {
      id: request.id,
      receivedAtMs: runtime.clock.now(),
      log: request.log,
      gateway,
      caller,
      target: targetOf(request),
      method: request.method,
      headers: request.headers,
      rawHeaders: rawHeadersOf(request, caller),
      body,
      client: new HttpClientResponse(reply.raw),
    };
    // From here on, the gateway writes the response to the socket itself.
    reply.hijack();
    void handleRequest(runtime, gatewayRequest);
  };
}

function rawHeadersOf(
  { raw }: FastifyRequest,
  caller: AdmittedCaller['caller'],
): readonly string[] {
  return caller?.type === 'user' ? headersOfPage(raw.rawHeaders) : raw.rawHeaders;
}
