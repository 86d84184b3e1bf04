import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { commonHeaders } from '../http/common-headers.ts';
import { failureEnvelope } from '../http/envelope.ts';
import { type ErrorDefinition, httpErrors } from '../http/errors.ts';
import type { StartKeeping } from './answers/answer.ts';
import type { Admission } from './authenticate.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { Outlet, ResponseHeaders } from './outlet.ts';
import type { Operation } from './providers/provider.ts';

/** The target of a request, by endpoint. */
export type Wanted =
  /** An operation; the model in the body names the provider. `compat` is the gateway host's form. */
  | { way: 'rest' | 'compat'; operation: Operation }
  /** One model's own input; undefined: the body names the model. */
  | { way: 'run'; model: string | undefined }
  /** A provider's own path. */
  | { way: 'native'; provider: string; pathAndQuery: string }
  /** Calls of several providers, one the fallback of the other. */
  | { way: 'universal' };

/** The parts of a request that decide about its admission, before the body is read. */
export interface Approach {
  accountId: string;
  gatewayId: string;
  /** The header with the credential for this server (specification section 3.4). */
  credential: string | undefined;
  /** All headers of a request that may come from the dashboard, with the session of its user. */
  ofPage?: IncomingHttpHeaders;
  ip: string;
}

/** One request to the gateway and the response to it. */
export interface Exchange {
  method: string;
  headers: IncomingHttpHeaders;
  /** Raw headers of node:http: alternating names and values. */
  rawHeaders: readonly string[];
  outlet: Outlet;
  requestId: string;
  log: FastifyBaseLogger;
  admission: Admission;
  wanted: Wanted;
  /** The whole body. The gateway may change it in place. */
  body: Buffer;
  receivedAtMs: number;
  /** The rate limit has counted this request already. */
  isCounted?: boolean;
}

/** An error of the gateway, with details for some clients. */
export interface Refusal extends ErrorDefinition {
  /** In the format of the Anthropic API. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The API whose format the client understands. */
export type Dialect = 'openai' | 'anthropic';

// A provider's response is on the origin of the pages, where it must not run, post a form or navigate.
const INERT_POLICY =
  "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/**
 * Adds the headers of every response of the gateway, with a policy that blocks scripts: a response of a provider must not
 * act as a page of this server.
 */
export function addOwnHeaders(
  headers: ResponseHeaders,
  { requestId }: Pick<Exchange, 'requestId'>,
): void {
  Object.assign(headers, commonHeaders);
  headers['content-security-policy'] = INERT_POLICY;
  headers['x-request-id'] = requestId;
}

/** Returns the body of an error in the format of the endpoint. */
export function refusalBody(wanted: Wanted, definition: Refusal): object {
  const { status, code, message } = definition;
  if (wanted.way !== 'rest' && wanted.way !== 'run') {
    return {
      success: false,
      result: [],
      messages: [],
      error: [{ code, message }],
      name: 'AiGatewayError',
      httpCode: status,
      internalCode: code,
    };
  }
  const error = openAiError(definition);
  // Clients of the management API and of the providers' APIs both find the reason.
  const envelope = failureEnvelope([{ code: Number(error.code), message: error.message }]);
  if (wanted.way === 'run') return envelope;
  if (!wanted.operation.startsWith('messages')) return { ...envelope, error };
  return { ...envelope, ...anthropicError(definition) };
}

/** Returns an error of the gateway in the format of the OpenAI API. */
export function openAiError({ status, code, message }: ErrorDefinition) {
  if (code === gatewayErrors.unauthorized.code) {
    const { code: envelopeCode, message: text } = httpErrors.unauthenticated;
    return { message: text, type: 'authentication_error', code: String(envelopeCode), param: null };
  }
  return { message, type: errorType(status, 'api_error'), code: String(code), param: null };
}

/** Returns an error of the gateway in the format of the Anthropic API. */
export function anthropicError(definition: Refusal) {
  const { type, message } = openAiError(definition);
  const { details } = definition;
  return { type: 'error', error: { type, message, ...(details && { details }) } };
}

function errorType(status: number, ofServer: string): string {
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? ofServer : 'invalid_request_error';
}

/** Returns the last event of a stream that broke off. */
export function errorEvent(dialect: Dialect, definition: ErrorDefinition): string {
  if (dialect === 'anthropic') {
    return `\n\nevent: error\ndata: ${JSON.stringify(anthropicError(definition))}\n\n`;
  }
  return `\n\ndata: ${JSON.stringify({ error: openAiError(definition) })}\n\n`;
}

/**
 * Responds with an error of the gateway.
 * @param keep stores the response in the log of a failed step
 */
export function refuse(
  exchange: Exchange,
  error: ErrorDefinition,
  headers: ResponseHeaders = {},
  keep?: StartKeeping,
): void {
  const { outlet, wanted } = exchange;
  if (outlet.isGone) return;
  const body = JSON.stringify(refusalBody(wanted, error));
  const all: ResponseHeaders = {};
  addOwnHeaders(all, exchange);
  Object.assign(all, headers, {
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  });
  keep?.(all)?.feed(Buffer.from(body));
  outlet.refuse(error, all, body);
}
