import type { SessionPrincipal } from '../../iam/principal.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { Grant } from '../grants/grant-store.ts';
import { scopesOfOrigin } from '../grants/redirect-origin.ts';
import { ProtocolError } from '../protocol-error.ts';
import { mayAuthorize } from '../tokens/access-tokens.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isOnDevice } from './describe-destination.ts';
import { demandsRecent, isFreshEnough } from './fresh-authentication.ts';

/**
 * What becomes of a request now.
 * - `sign_in`: the person has to authenticate; `prompt` is `login` when an earlier authentication does
 *   not suffice
 * - `stranger`: a private client, and the person is no member of its account
 * - `ask`: the person decides; `remembered` is what they have decided before
 * - `repeat`: what they have decided before covers it
 */
export type NextStep =
  | { kind: 'sign_in'; prompt: 'login' | undefined }
  | { kind: 'refuse'; error: ProtocolError }
  | { kind: 'stranger' }
  | { kind: 'ask'; remembered: Grant | undefined }
  | { kind: 'repeat'; grant: Grant; scopes: string[] };

/**
 * The decisions of OpenID Connect Core section 3.1.2.3 and 3.1.2.4, in their order.
 * @param principal of whom is signed in
 * @param grants of that person to the client, the latest first
 */
export function nextStep(
  request: AuthorizationRequest,
  client: Pick<RegisteredClient, 'visibility' | 'accountId' | 'authMethod'>,
  principal: SessionPrincipal | undefined,
  grants: readonly Grant[],
): NextStep {
  const isSilent = request.prompt.includes('none');
  if (principal === undefined || !isFreshEnough(request, principal.session)) {
    if (isSilent) return refuseSilently('login_required');
    const mustBeNew = principal !== undefined || demandsRecent(request);
    return { kind: 'sign_in', prompt: mustBeNew ? 'login' : undefined };
  }
  const { user } = principal;
  if (!mayAuthorize(client, user)) return { kind: 'stranger' };
  if (request.expectedUserId !== undefined && request.expectedUserId !== user.id) {
    return refuse('login_required', 'the signed-in user is not the one in id_token_hint');
  }
  const remembered = grants.find((grant) => isStillOf(grant, principal));
  const scopes = mustAsk(request, client) ? undefined : rememberedScopes(request, remembered);
  if (remembered !== undefined && scopes !== undefined) {
    return { kind: 'repeat', grant: remembered, scopes };
  }
  return isSilent ? refuseSilently('consent_required') : { kind: 'ask', remembered };
}

function refuse(code: 'login_required' | 'consent_required', description: string): NextStep {
  return { kind: 'refuse', error: new ProtocolError(code, description) };
}

function refuseSilently(code: 'login_required' | 'consent_required'): NextStep {
  return code === 'login_required'
    ? refuse(code, 'the user must sign in, but prompt=none does not allow interaction')
    : refuse(code, 'the user must consent, but prompt=none does not allow interaction');
}

/** Consent for accounts that the person has left says nothing about those that they have now. */
function isStillOf({ accountIds }: Grant, { user }: SessionPrincipal): boolean {
  const isMember = (id: string) => user.memberships.some(({ accountId }) => accountId === id);
  return accountIds.length === 0 || accountIds.some(isMember);
}

function mustAsk(
  { prompt, redirectUri }: AuthorizationRequest,
  client: Pick<RegisteredClient, 'authMethod'>,
): boolean {
  return (
    prompt.includes('consent') ||
    // The page offers to sign in as somebody else.
    prompt.includes('select_account') ||
    // No consent from before speaks for a program that may be another one.
    (client.authMethod === 'none' && isOnDevice(redirectUri))
  );
}

/**
 * Selects the requested scopes that the person has allowed for the origin of the redirect URI.
 * @returns undefined when something was never asked for, or nothing of it was allowed
 */
function rememberedScopes(
  { scopes, redirectUri }: AuthorizationRequest,
  grant: Grant | undefined,
): string[] | undefined {
  if (grant === undefined) return undefined;
  const ofOrigin = scopesOfOrigin(grant.scopesByOrigin, redirectUri);
  const allowed = scopes.filter(
    (scope) => grant.scopes.includes(scope) && ofOrigin.includes(scope),
  );
  const isDecided = scopes.every(
    (scope) => allowed.includes(scope) || grant.declinedScopes.includes(scope),
  );
  return isDecided && allowed.length > 0 ? allowed : undefined;
}
