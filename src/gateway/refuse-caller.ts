import { READABLE_BY_EVERYBODY } from '../http/cors.ts';
import type { ErrorDefinition } from '../http/errors.ts';
import { parseBearer } from '../iam/authorize.ts';
import { challengeOf } from '../iam/credentials.ts';
import { isWellFormedSecret } from '../lib/secrets.ts';
import { insufficientScope } from './authenticate.ts';
import type { Wanted } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';

const INSUFFICIENT_SCOPE = 'Bearer error="insufficient_scope", scope="ai-gateway.run"';

interface Presented {
  /** The header that contains the credential. */
  credential: string | undefined;
  /** The header `Origin` of a page. */
  origin: string | undefined;
}

/**
 * Completes the refusal of a caller. Only the REST API names a missing scope (RFC 6750 section 3.1): the gateway host has
 * one error for every credential.
 * @param error from the authentication
 * @returns the error, and headers of the response
 */
export function refuseCaller(
  error: ErrorDefinition,
  { way }: Wanted,
  { credential, origin }: Presented,
): { error: ErrorDefinition; headers: Record<string, string> } {
  const bearer = parseBearer(credential);
  const token = typeof bearer === 'object' ? bearer.token : undefined;
  // Every page may read that its token has expired, because the server no longer knows the client of the token.
  const isOfClient = origin !== undefined && isWellFormedSecret(token ?? '', 'lkoat_');
  const readable = isOfClient ? READABLE_BY_EVERYBODY : {};
  const isRest = way === 'rest' || way === 'run';
  if (error === insufficientScope && isRest) {
    return { error, headers: { ...readable, 'www-authenticate': INSUFFICIENT_SCOPE } };
  }
  const shown = error === insufficientScope ? gatewayErrors.unauthorized : error;
  if (shown.status !== 401) return { error: shown, headers: { ...readable } };
  const challenge = challengeOf(isRest ? token : undefined);
  return { error: shown, headers: { ...readable, 'www-authenticate': challenge } };
}
