import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '../../http/errors.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import { errorBody } from '../response/error-body.ts';
import { targetOf } from './endpoint.ts';

/**
 * Responds to an error from before `handleRequest`: a missing credential, a body that is too large or incomplete, an
 * unknown method.
 */
export async function respondWithError(
  thrown: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const error = asGatewayError(thrown);
  const { status, headers } = error;
  if (status >= 500) request.server.failureLog.note(request, status, thrown, 'the gateway failed');
  await reply
    .code(status)
    .headers(headers)
    .send(errorBody(targetOf(request), error));
}

/** @param allowed methods, separated by commas */
export function methodNotAllowed(allowed: string): GatewayError {
  return new GatewayError(httpErrors.methodNotAllowed, { headers: { allow: allowed } });
}
