import { findPermissionBySlug, permissions } from '../../iam/permissions.ts';

/** Grant types that a client can use (seed section 5.3; refresh only after an authorization code). */
export type GrantType = 'authorization_code' | 'refresh_token';

/** Say something about the user or the flow; they are no permissions (OpenID Connect Core 5.4, 11). */
const IDENTITY_SCOPES: ReadonlySet<string> = new Set(['profile', 'email', 'groups']);
/** The identity scopes of a client that is created without `scopes`: what a sign-in usually requests. */
export const DEFAULT_SCOPES = ['profile', 'email'];
const PROTOCOL_SCOPES: ReadonlySet<string> = new Set(['openid', 'offline_access']);
// What the server decides by itself the user cannot decline; `offline` is another name that some
// authorization servers have for offline_access.
const NEVER_OPTIONAL: ReadonlySet<string> = new Set([...PROTOCOL_SCOPES, 'offline']);

/** Whether the server decides by itself that a client has this scope. */
export function isProtocolScope(id: string): boolean {
  return PROTOCOL_SCOPES.has(id);
}

function isKnownScope(id: string): boolean {
  return (
    IDENTITY_SCOPES.has(id) || PROTOCOL_SCOPES.has(id) || findPermissionBySlug(id) !== undefined
  );
}

// RFC 6749 appendix A.4, without the dot of permission scopes, the colon of scopes of resource servers, and the comma,
// which is a mistaken separator.
const OPENID_SCOPE = /^[!#-+\-/-9;-[\]-~]+$/;

/** Returns true if a scope has the form of an OpenID scope: only those may be unknown without an error. */
export function isOpenIdScope(id: string): boolean {
  return OPENID_SCOPE.test(id);
}

/** Every scope that there is. */
export function listScopeIds(): string[] {
  return [...PROTOCOL_SCOPES, ...IDENTITY_SCOPES, ...permissions.map(({ slug }) => slug)];
}

/** Why a scope id is unknown, or undefined when it is known. */
export function findUnknownScopeFault(id: string): string | undefined {
  if (isKnownScope(id)) return undefined;
  const shown = id.slice(0, 100);
  if (id.includes(',')) return `${shown} has commas, but scopes are separated by spaces`;
  if (!id.includes(':')) return `${shown} is not in the list of scopes`;
  const dotted = shown.replaceAll(':', '.');
  const advice = isKnownScope(dotted) ? `write ${dotted}` : `and ${dotted} is no scope either`;
  return `${shown} has colons, but scopes are written with dots: ${advice}`;
}

/** Why a user could not decline this scope, or undefined when it may be optional. */
export function findOptionalScopeFault(id: string, scopes: readonly string[]): string | undefined {
  if (NEVER_OPTIONAL.has(id)) return `${id} cannot be optional`;
  return scopes.includes(id) ? undefined : `${id.slice(0, 100)} must be in scopes too`;
}

/**
 * The scopes of a client with the protocol scopes that its flows imply, in the order given.
 *
 * `offline_access` asks for a refresh token (OpenID Connect Core section 11), so it is there exactly
 * when the client uses refresh_token. `openid` asks for an ID token, which every client can get,
 * because `code`, the one response type, delivers it (section 3.1); so it is always there. Neither
 * gives a client anything by itself: they say what it may ask for, and the user consents or not.
 */
export function withProtocolScopes(
  scopes: readonly string[],
  grantTypes: readonly string[],
): string[] {
  const implied = ['openid', ...(grantTypes.includes('refresh_token') ? ['offline_access'] : [])];
  const kept = scopes.filter((id) => !PROTOCOL_SCOPES.has(id) || implied.includes(id));
  return [...new Set([...kept, ...implied])];
}

/** Whether a client asks for anything beyond who the user is. */
export function hasPermissionScope(scopes: readonly string[]): boolean {
  return scopes.some((id) => findPermissionBySlug(id) !== undefined);
}
