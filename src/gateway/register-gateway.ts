import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from 'undici';
import { ApiError, type ErrorDefinition, apiError, httpErrors } from '../http/errors.ts';
import { type Exchange, type Wanted, refusalBody, refuse } from './exchange.ts';
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
  const start = createStart(services, agent);
  await http.register(async (gateway) => {
    // Bodies are passed on as they are, whatever their type.
    gateway.removeAllContentTypeParsers();
    gateway.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    );
    gateway.setErrorHandler(answerError);
    addRest(gateway, `${apiPrefix}/accounts/:account_id/ai/v1/chat/completions`, start);
    addNative(gateway, '/v1/:account_id/:gateway_id/:provider/*', start);
  });
}

/** Takes a request out of Fastify's hands and into the gateway's. */
type Start = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: Pick<Exchange, 'gatewayId' | 'credential' | 'wanted'>,
) => void;

function createStart(services: GatewayServices, agent: Agent): Start {
  return (request, reply, how) => {
    reply.hijack();
    const exchange: Exchange = {
      ...how,
      request: request.raw,
      response: reply.raw,
      requestId: request.id,
      ip: request.ip,
      accountId: (request.params as Params).account_id ?? '',
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      receivedAtMs: services.clock.now(),
    };
    forward(services, agent, exchange).catch((error: unknown) => {
      request.log.error({ err: error }, 'the gateway failed');
      if (reply.raw.headersSent) reply.raw.destroy();
      else refuse(exchange, httpErrors.internal);
    });
  };
}

function addRest(gateway: FastifyInstance, url: string, start: Start): void {
  gateway.post(url, {
    schema: chatCompletionsSchema,
    handler(request, reply) {
      const { headers } = request;
      start(request, reply, {
        gatewayId: String(headers['cf-aig-gateway-id'] ?? DEFAULT_GATEWAY_ID),
        credential: headers.authorization,
        wanted: { way: 'rest', operation: 'chat/completions' },
      });
    },
  });
  gateway.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    exposeHeadRoute: false,
    schema: { hide: true },
    handler: () => {
      throw apiError(httpErrors.methodNotAllowed, { headers: { allow: 'POST' } });
    },
  });
}

function addNative(gateway: FastifyInstance, url: string, start: Start): void {
  gateway.all(url, {
    schema: { hide: true },
    handler(request, reply) {
      const { gateway_id: gatewayId = '', provider = '' } = request.params as Params;
      const credential = request.headers['cf-aig-authorization'];
      start(request, reply, {
        gatewayId,
        credential: credential === undefined ? undefined : String(credential),
        wanted: { way: 'native', provider, pathAndQuery: nativePath(request.raw.url ?? '') },
      });
    },
  });
}

/** What follows `/v1/{account}/{gateway}/{provider}/`, byte for byte. */
function nativePath(url: string): string {
  let position = 0;
  for (let slashes = 0; slashes < 5; slashes++) position = url.indexOf('/', position) + 1;
  return url.slice(position);
}

function wayOf(request: FastifyRequest): Wanted['way'] {
  return request.routeOptions.url?.startsWith('/v1/') === true ? 'native' : 'rest';
}

/** Errors from before the exchange exists: a malformed request, a body that is too large or broke off. */
async function answerError(
  error: ApiError | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const definition = definitionOf(error);
  if (error instanceof ApiError) reply.headers(error.headers);
  if (definition.status >= 500) request.log.error({ err: error }, 'the gateway failed');
  return reply.code(definition.status).send(refusalBody(wayOf(request), definition));
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
