import { READABLE_BY_EVERYBODY } from '../../http/cors.ts';
import { parseBearer } from '../../iam/access/presented-credential.ts';
import { challengeOf } from '../../iam/credentials.ts';
import { isWellFormedSecret } from '../../lib/secrets.ts';
import type { RequestTarget } from '../gateway-request.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';

const INSUFFICIENT_SCOPE = 'Bearer error="insufficient_scope", scope="ai-gateway.run"';

interface Presented {
  /** The header that contains the credential. */
  credential: string | undefined;
  /** The header `Origin` of a page. */
  origin: string | undefined;
}

/**
 * Completes an error of the authentication with the challenge of the endpoint. Only the REST API names a missing scope (RFC
 * 6750 section 3.1): the gateway host has one error for every credential.
 * @param error from the authentication
 * @returns the error with the headers of the response
 */
export function withChallenge(
  error: GatewayError,
  { entry }: RequestTarget,
  { credential, origin }: Presented,
): GatewayError {
  const bearer = parseBearer(credential);
  const token = typeof bearer === 'object' ? bearer.token : undefined;
  // Every page may read that its token has expired, because the server no longer knows the client of the token.
  const isOfClient = origin !== undefined && isWellFormedSecret(token ?? '', 'lkoat_');
  const headers = isOfClient ? READABLE_BY_EVERYBODY : {};
  const isRest = entry === 'rest' || entry === 'run';
  const lacksScope = error.status === 403;
  if (lacksScope && isRest) {
    return withHeaders(error, { ...headers, 'www-authenticate': INSUFFICIENT_SCOPE });
  }
  const shown = lacksScope ? new GatewayError(gatewayErrors.unauthorized) : error;
  if (shown.status !== 401) return withHeaders(shown, headers);
  const challenge = challengeOf(isRest ? token : undefined);
  return withHeaders(shown, { ...headers, 'www-authenticate': challenge });
}

function withHeaders(error: GatewayError, headers: Readonly<Record<string, string>>): GatewayError {
  Object.assign(error.headers, headers);
  return error;
}
