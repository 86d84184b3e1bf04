import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { READABLE_BY_EVERYBODY, corsHeaders, preflightHeaders } from '../../http/cors.ts';
import { ApiError, type TroubleOf } from '../../http/errors.ts';
import { formOf, queryOf, takeFormsOnly } from '../../http/forms.ts';
import { methodsBesides } from '../../http/methods.ts';
import { describeItself } from '../../http/openapi-operations.ts';
import { requestFacts } from '../../http/register-routes.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Endpoint, EndpointReply, EndpointRequest } from './endpoint.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    cors?: Endpoint['cors'];
  }
}

const MAX_FORM_BYTES = 16_384;

// Only the identified client's pages may read an answer, and errors know the client only through this.
const IDENTIFIED = Symbol('client of the request');

type Identified = FastifyRequest & { [IDENTIFIED]?: RegisteredClient };

/**
 * Adds the endpoints that programs use. Whatever goes wrong is told as RFC 6749 section 5.2 says.
 * @param troubleOf what an error says about storage
 */
export async function registerEndpoints(
  http: FastifyInstance,
  endpoints: readonly Endpoint[],
  troubleOf: TroubleOf,
): Promise<void> {
  await http.register(async (app) => {
    takeFormsOnly(app, MAX_FORM_BYTES);
    app.setErrorHandler(
      (error: FastifyError | ApiError | ProtocolError, request: Identified, reply) => {
        const refusal = toProtocolError(error, troubleOf);
        if (refusal.status >= 500) {
          app.failureLog.note(request, refusal.status, error, 'request failed');
        }
        return send(request, reply, {
          status: refusal.status,
          headers: refusal.headers,
          json: { error: refusal.code, error_description: refusal.message },
        });
      },
    );
    for (const endpoint of endpoints) addEndpoint(app, endpoint);
  });
}

const HIDDEN = { hide: true };

function addEndpoint(app: FastifyInstance, endpoint: Endpoint): void {
  const { path, cors, get, post, operations } = endpoint;
  const schema = operations === undefined ? HIDDEN : describeItself({ operations });
  const config = { cors };
  const handlers = { GET: get, POST: post };
  const allowed: string[] = [];
  for (const method of ['GET', 'POST'] as const) {
    const respond = handlers[method];
    if (respond === undefined) continue;
    allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.route({
      method,
      url: path,
      schema,
      config,
      handler: async (request: Identified, reply) =>
        send(request, reply, await respond(endpointRequest(request))),
    });
  }
  if (cors !== 'nobody') {
    app.options(path, { schema: HIDDEN }, ({ headers }, reply) => {
      const origin = cors === 'everybody' ? undefined : headers.origin;
      const wanted = headers['access-control-request-headers'];
      return reply
        .code(204)
        .headers(preflightHeaders(origin, allowed, wanted))
        .send();
    });
    allowed.push('OPTIONS');
  }
  const allow = allowed.join(', ');
  app.route({
    method: methodsBesides(allowed),
    url: path,
    exposeHeadRoute: false,
    schema: HIDDEN,
    config,
    // Before its body is looked at.
    async onRequest({ method }) {
      const options = { status: 405, headers: { allow } };
      throw new ProtocolError('invalid_request', `${method} is not for this endpoint`, options);
    },
    handler: (_request, reply) => reply,
  });
}

function endpointRequest(request: Identified): EndpointRequest {
  return {
    facts: requestFacts(request),
    parameters: new Parameters(request.method === 'POST' ? formOf(request) : queryOf(request)),
    identified(client) {
      request[IDENTIFIED] = client;
    },
  };
}

/** Only the identified client's pages may read an answer that is not for everybody. */
function readability(request: Identified): Record<string, string> {
  const { cors = 'nobody' } = request.routeOptions.config;
  if (cors === 'nobody') return {};
  if (cors === 'everybody') return READABLE_BY_EVERYBODY;
  return corsHeaders(request.headers.origin, request[IDENTIFIED]?.allowedCorsOrigins ?? []);
}

function send(
  request: Identified,
  reply: FastifyReply,
  { status = 200, json, body, headers }: EndpointReply,
): FastifyReply {
  reply.code(status).headers({
    'cache-control': 'no-store',
    ...(headers?.['cache-control'] === undefined && { pragma: 'no-cache' }),
    ...readability(request),
    ...headers,
  });
  if (body !== undefined) return reply.type(body.contentType).send(body.content);
  if (json === undefined) return reply.send();
  // As text: the type belongs to the protocols, which know no envelope and no schema of ours.
  return reply.type('application/json').send(JSON.stringify(json));
}

function toProtocolError(
  error: FastifyError | ApiError | ProtocolError,
  troubleOf: TroubleOf,
): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const cause = error;
  const trouble = troubleOf(error);
  if (trouble !== undefined) {
    return new ProtocolError('temporarily_unavailable', trouble.reason, {
      status: 503,
      headers: { 'retry-after': String(trouble.retryAfterSeconds) },
      cause,
    });
  }
  if (error instanceof ApiError && error.status < 500) {
    const { status, message, headers } = error;
    return new ProtocolError('invalid_request', message, { status, headers });
  }
  const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500);
  if (status >= 500) {
    return new ProtocolError('server_error', 'the server had an unexpected error', {
      status: 500,
      cause,
    });
  }
  return new ProtocolError('invalid_request', describeRefusal(status), { status });
}

function describeRefusal(status: number): string {
  if (status === 413) return `a request has at most ${MAX_FORM_BYTES} bytes`;
  if (status === 415) return 'the content type must be application/x-www-form-urlencoded';
  return 'malformed request';
}
