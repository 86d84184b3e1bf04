import type { RegisteredClient } from '../clients/client-directory.ts';
import { findUnknownScopeFault, isOpenIdScope } from '../clients/scopes.ts';
import { type Parameters, readList } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * Returns the scopes that a client requests; all registered ones if the request names none (RFC 6749 section 3.3).
 * @throws ProtocolError invalid_scope, which names the first refused scope
 */
export function checkScope(
  parameters: Parameters,
  client: Pick<RegisteredClient, 'scopes'>,
): string[] {
  const asked = parameters.get('scope');
  if (asked === undefined) return [...client.scopes];
  const named = readList(asked);
  if (named.length === 0) throw new ProtocolError('invalid_scope', 'scope is empty');
  const scopes = named.filter((scope) => !isIgnoredScope(scope, client));
  requireRegisteredScopes(scopes, client);
  if (scopes.length > 0) return scopes;
  throw new ProtocolError('invalid_scope', 'the client has registered none of these scopes');
}

/**
 * Returns true for a scope that the server ignores: an OpenID scope that the client has not registered (OpenID Connect
 * Core section 3.1.2.1), such as `offline_access` of a client that cannot refresh (section 11).
 */
export function isIgnoredScope(scope: string, client: Pick<RegisteredClient, 'scopes'>): boolean {
  return isOpenIdScope(scope) && !client.scopes.includes(scope);
}

/** @throws ProtocolError invalid_scope, which names a scope that the client has not registered */
export function requireRegisteredScopes(
  scopes: readonly string[],
  client: Pick<RegisteredClient, 'scopes'>,
): void {
  const bad = scopes.find((scope) => !client.scopes.includes(scope));
  if (bad === undefined) return;
  const notItsOwn = `${bad.slice(0, 100)} is not a scope of this client`;
  throw new ProtocolError('invalid_scope', findUnknownScopeFault(bad) ?? notItsOwn);
}
