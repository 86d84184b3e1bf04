import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { commonHeaders } from '../http/common-headers.ts';
import { failureEnvelope } from '../http/envelope.ts';
import { type ErrorDefinition, httpErrors } from '../http/errors.ts';
import type { Admission } from './authenticate.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { Operation } from './providers/provider.ts';

/** What a caller asks for: an operation whose provider the model names, or a provider's own path. */
export type Wanted =
  | { way: 'rest'; operation: Operation }
  | { way: 'native'; provider: string; pathAndQuery: string };

/** What decides whether a request goes through: known before its body is read. */
export interface Approach {
  accountId: string;
  gatewayId: string;
  /** The header that carries the credential for us (seed section 3.4). */
  credential: string | undefined;
  ip: string;
}

/** One request to the gateway and the response to it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  log: FastifyBaseLogger;
  admission: Admission;
  wanted: Wanted;
  /** The whole body; ours to change. */
  body: Buffer;
  receivedAtMs: number;
}

/**
 * The headers of every response on the gateway. Among them a policy under which nothing runs: what a
 * provider answers must not act as a page of ours.
 */
export function ownHeaders(exchange: Pick<Exchange, 'requestId'>): Record<string, string> {
  return { ...commonHeaders, 'x-request-id': exchange.requestId };
}

/** The body of a refusal, in the shape that the callers of each way in read. */
export function refusalBody(
  way: Wanted['way'],
  { status, code, message }: ErrorDefinition,
): object {
  if (way === 'native') {
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
  const error = openAiError({ status, code, message });
  // Both kinds of client show the reason: the management clients and the OpenAI ones.
  return { ...failureEnvelope([{ code: Number(error.code), message: error.message }]), error };
}

/** One of our errors as the OpenAI API tells errors. */
export function openAiError({ status, code, message }: ErrorDefinition) {
  if (code === gatewayErrors.unauthorized.code) {
    const { code: envelopeCode, message: text } = httpErrors.unauthenticated;
    return { message: text, type: 'authentication_error', code: String(envelopeCode), param: null };
  }
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  return { message, type, code: String(code), param: null };
}

/** Answers with one of our own errors. */
export function refuse(exchange: Exchange, error: ErrorDefinition): void {
  const { response, wanted } = exchange;
  const body = JSON.stringify(refusalBody(wanted.way, error));
  response.writeHead(error.status, {
    ...ownHeaders(exchange),
    'content-length': Buffer.byteLength(body),
    'content-type': 'application/json; charset=utf-8',
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  });
  response.end(body);
}
