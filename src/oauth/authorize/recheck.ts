import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { requireRegistered } from './check-redirect-uri.ts';
import { requireRegisteredScopes } from './check-scope.ts';

/**
 * The client of a request that was checked some time ago, when the answer may still go there.
 * @throws ProtocolError never to be told by a redirect: the client, or its redirect URI, is gone
 */
export async function recheckClient(
  { clients, redirectRules }: Pick<OAuthServices, 'clients' | 'redirectRules'>,
  { clientId, redirectUri }: AuthorizationRequest,
): Promise<RegisteredClient> {
  const client = await clients.find(clientId);
  if (client === undefined) {
    throw new ProtocolError('invalid_request', 'client_id is unknown');
  }
  requireRegistered(redirectUri, client, redirectRules);
  return client;
}

/**
 * What else a client may have changed since its request was checked. Whether it has a secret is not
 * among it, so PKCE need not be asked for again.
 * @throws ProtocolError which may be told to the redirect URI
 */
export function recheckRequest(
  { scopes }: Pick<AuthorizationRequest, 'scopes'>,
  client: Pick<RegisteredClient, 'scopes'>,
): void {
  requireRegisteredScopes(scopes, client);
}
