import type { RegisteredClient } from '../clients/client-directory.ts';
import { findUnknownScopeFault } from '../clients/scopes.ts';
import { type Parameters, readList } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * What the client asks for; all that it has registered when it does not say (RFC 6749 section 3.3).
 * @throws ProtocolError invalid_scope which names the first bad one
 */
export function checkScope(
  parameters: Parameters,
  client: Pick<RegisteredClient, 'scopes'>,
): string[] {
  const asked = parameters.get('scope');
  if (asked === undefined) return [...client.scopes];
  const scopes = readList(asked);
  if (scopes.length === 0) throw new ProtocolError('invalid_scope', 'scope is empty');
  requireRegisteredScopes(scopes, client);
  return scopes;
}

/** @throws ProtocolError invalid_scope which names one that the client has not registered */
export function requireRegisteredScopes(
  scopes: readonly string[],
  client: Pick<RegisteredClient, 'scopes'>,
): void {
  const bad = scopes.find((scope) => !client.scopes.includes(scope));
  if (bad === undefined) return;
  const notItsOwn = `${bad.slice(0, 100)} is not a scope of this client`;
  throw new ProtocolError('invalid_scope', findUnknownScopeFault(bad) ?? notItsOwn);
}
