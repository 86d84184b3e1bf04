import { failureEnvelope } from '../../http/envelope.ts';
import { type ErrorDefinition, httpErrors } from '../../http/errors.ts';
import type { Dialect, GatewayRequest, RequestTarget } from '../gateway-request.ts';
import type { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { addOwnHeaders } from './response-headers.ts';
import type { ResponseHeaders } from '../http-headers.ts';

/** An error of the gateway; `details` are members for clients of the Anthropic API. */
type ErrorFields = ErrorDefinition & Partial<Pick<GatewayError, 'details'>>;

/**
 * Sends an error to the client. If the response has already begun, the function closes the connection, so that no client
 * takes the response for a complete one.
 */
export function sendError(request: GatewayRequest, error: GatewayError): void {
  const { client } = request;
  if (client.hasBegun) return client.cut();
  if (client.isClosed) return;
  const { headers, body } = errorResponse(request, error);
  client.refuse(error, headers, body);
}

/** Returns headers and body of the response to an error. */
export function errorResponse(
  { target, id }: Pick<GatewayRequest, 'target' | 'id'>,
  error: GatewayError,
): { headers: ResponseHeaders; body: string } {
  const body = JSON.stringify(errorBody(target, error));
  const headers: ResponseHeaders = {};
  addOwnHeaders(headers, id);
  Object.assign(headers, error.headers, {
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
  });
  return { headers, body };
}

/** Returns the body of an error in the format of the endpoint. */
export function errorBody(target: RequestTarget, error: ErrorFields): object {
  const { status, code, message } = error;
  if (target.entry !== 'rest' && target.entry !== 'run') {
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
  const openAi = openAiError(error);
  // Clients of the management API and of the providers' APIs both find the reason.
  const envelope = failureEnvelope([{ code: Number(openAi.code), message: openAi.message }]);
  if (target.entry === 'run') return envelope;
  if (!target.operation.startsWith('messages')) return { ...envelope, error: openAi };
  return { ...envelope, ...anthropicError(error) };
}

/** Returns the last event of a stream that broke off. */
export function errorEvent(dialect: Dialect, error: ErrorFields): string {
  if (dialect === 'anthropic') {
    return `\n\nevent: error\ndata: ${JSON.stringify(anthropicError(error))}\n\n`;
  }
  return `\n\ndata: ${JSON.stringify({ error: openAiError(error) })}\n\n`;
}

function openAiError({ status, code, message }: ErrorFields) {
  if (code === gatewayErrors.unauthorized.code) {
    const { code: envelopeCode, message: text } = httpErrors.unauthenticated;
    return { message: text, type: 'authentication_error', code: String(envelopeCode), param: null };
  }
  return { message, type: errorType(status), code: String(code), param: null };
}

function anthropicError(error: ErrorFields) {
  const { type, message } = openAiError(error);
  const { details } = error;
  return { type: 'error', error: { type, message, ...(details && { details }) } };
}

function errorType(status: number): string {
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}
