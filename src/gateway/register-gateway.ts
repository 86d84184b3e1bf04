import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from 'undici';
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
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { DEFAULT_GATEWAY_ID } from './gateways/gateway-store.ts';

interface Options {
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
  bodyLimitBytes: number;
}

type Params = Record<string, string>;

/** Registers the ways into the gateway: the REST API, and provider-native paths. */
export async function registerGateway(
  http: FastifyInstance,
  services: GatewayServices,
  agent: Agent,
  { apiPrefix, bodyLimitBytes }: Options,
): Promise<void> {
  await http.register(async (gateway) => {
    // Bodies are passed on as they are, whatever their type.
    gateway.removeAllContentTypeParsers();
    gateway.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    );
    gateway.setErrorHandler(answerError);
    const chatCompletions = `${apiPrefix}/accounts/:account_id/ai/v1/chat/completions`;
    gateway.route({
      method: 'POST',
      url: chatCompletions,
      schema: chatCompletionsSchema,
      ...enter(services, agent, rest),
    });
    gateway.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: chatCompletions,
      exposeHeadRoute: false,
      schema: { hide: true },
      onRequest: refuseMethod,
      handler: refuseMethod,
    });
    gateway.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/v1/:account_id/:gateway_id/:provider/*',
      exposeHeadRoute: false,
      schema: { hide: true },
      ...enter(services, agent, native),
    });
  });
}

async function refuseMethod(): Promise<never> {
  throw apiError(httpErrors.methodNotAllowed, { headers: { allow: 'POST' } });
}

/** What a way in makes of a request: who comes, and what for. */
interface WayIn {
  approach(request: FastifyRequest): Approach;
  wanted(request: FastifyRequest): Wanted;
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
function enter(services: GatewayServices, agent: Agent, way: WayIn) {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const admission = await admit(services, way.approach(request));
      if ('code' in admission) return answerRefusal(request, reply, admission);
      admissions.set(request, admission);
    },
    handler(request: FastifyRequest, reply: FastifyReply): void {
      const admission = admissions.get(request);
      if (admission === undefined) throw new Error('the request was not admitted');
      // From here on the answer is written to the socket as it comes.
      reply.hijack();
      const exchange: Exchange = {
        request: request.raw,
        response: reply.raw,
        requestId: request.id,
        log: request.log,
        admission,
        wanted: way.wanted(request),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        receivedAtMs: services.clock.now(),
      };
      forward(services, agent, exchange).catch((error: unknown) => {
        request.log.error({ err: error }, 'the gateway failed');
        if (reply.raw.headersSent) reply.raw.destroy();
        else refuse(exchange, httpErrors.internal);
      });
    },
  };
}

/** The REST API: the credential is in `Authorization`, a header names the gateway. */
const rest: WayIn = {
  approach: (request) => ({
    accountId: (request.params as Params).account_id ?? '',
    gatewayId: String(request.headers['cf-aig-gateway-id'] ?? DEFAULT_GATEWAY_ID),
    credential: request.headers.authorization,
    ip: request.ip,
  }),
  wanted: () => ({ way: 'rest', operation: 'chat/completions' }),
};

/** Provider-native paths: `Authorization` is the provider's, ours is in `cf-aig-authorization`. */
const native: WayIn = {
  approach(request) {
    const { account_id: accountId = '', gateway_id: gatewayId = '' } = request.params as Params;
    const credential = request.headers['cf-aig-authorization'];
    return {
      accountId,
      gatewayId,
      credential: credential === undefined ? undefined : String(credential),
      ip: request.ip,
    };
  },
  wanted: (request) => ({
    way: 'native',
    provider: (request.params as Params).provider ?? '',
    pathAndQuery: nativePath(request.raw.url ?? ''),
  }),
};

/** What follows `/v1/{account}/{gateway}/{provider}/`, byte for byte. */
function nativePath(target: string): string {
  // RFC 9112 section 3.2.2: the request target may be a whole address.
  const url = target.replace(/^https?:\/\/[^/]*/i, '');
  let position = 0;
  for (let slashes = 0; slashes < 5; slashes++) position = url.indexOf('/', position) + 1;
  return url.slice(position);
}

function wayOf(request: FastifyRequest): Wanted['way'] {
  return request.routeOptions.url?.startsWith('/v1/') === true ? 'native' : 'rest';
}

/** Refuses before the exchange exists. */
async function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ErrorDefinition,
): Promise<void> {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(error.status).send(refusalBody(wayOf(request), error));
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
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return gatewayErrors.bodyTooLarge;
  return (error.statusCode ?? 500) < 500 ? httpErrors.malformedRequest : httpErrors.internal;
}

/** For the reference only: bodies are the provider's affair and are not validated here. */
const chatCompletionsSchema = {
  operationId: 'create-chat-completion',
  summary: 'Chat completion',
  tags: ['AI gateway'],
  description: [
    'Speaks the OpenAI API: an OpenAI client works with the base address up to `/ai/v1` and an API',
    'token as its key. `model` is `provider/model`, such as `local/echo`; the header',
    '`cf-aig-gateway-id` picks a gateway.\n\nNeeds: `ai-gateway.run` (AI Gateway Run), unless the',
    'gateway has authentication switched off.',
  ].join(' '),
};
