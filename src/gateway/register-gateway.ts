import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from 'undici';
import { type ErrorDefinition, httpErrors } from '../http/errors.ts';
import { type Exchange, type Wanted, ownHeaders, refusalBody } from './exchange.ts';
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
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: chatCompletions,
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .code(405)
          .header('allow', 'POST')
          .send(refusalBody('rest', httpErrors.methodNotAllowed)),
    });
    gateway.post(chatCompletions, {
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

    gateway.all('/v1/:account_id/:gateway_id/:provider/*', {
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
  });

  function start(
    request: FastifyRequest,
    reply: FastifyReply,
    how: Pick<Exchange, 'gatewayId' | 'credential' | 'wanted'>,
  ): void {
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
      else answerRaw(request, reply, httpErrors.internal);
    });
  }
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

function answerRaw(request: FastifyRequest, reply: FastifyReply, error: ErrorDefinition): void {
  reply.raw.writeHead(error.status, {
    ...ownHeaders({ requestId: request.id }),
    'content-type': 'application/json; charset=utf-8',
  });
  reply.raw.end(JSON.stringify(refusalBody(wayOf(request), error)));
}

/** Errors from before the exchange exists: a body that is too large, or broke off. */
async function answerError(
  error: Error & { code?: string; statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  let definition: ErrorDefinition = httpErrors.internal;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') definition = gatewayErrors.bodyTooLarge;
  else if ((error.statusCode ?? 500) < 500) definition = httpErrors.malformedRequest;
  else request.log.error({ err: error }, 'the gateway failed');
  return reply.code(definition.status).send(refusalBody(wayOf(request), definition));
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
