import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { endFamily } from '../tokens/end-family.ts';
import { findFamily } from '../tokens/family-store.ts';
import { lookUp } from '../tokens/look-up.ts';
import { deleteAccessToken, findAccessToken, findRefreshToken } from '../tokens/token-store.ts';
import { authenticateClient } from './client-authentication.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';

/**
 * `POST /oauth2/revoke` (RFC 7009). Revoking an access token ends only that token; revoking a refresh token ends
 * every token of the same authorization. A value that is not a token of the client gets the same response. The form
 * of a token determines its type, so the server ignores `token_type_hint`.
 *
 * The response is an empty JSON object: RFC 7009 section 2.2 leaves its body to the server, and some clients parse it.
 */
export const revokeEndpoint = (services: OAuthServices): Endpoint => ({
  path: '/oauth2/revoke',
  cors: 'client',
  async post(request) {
    const client = await authenticateClient(services, request);
    const token = request.parameters.require('token');
    if (isWellFormedSecret(token, 'lkoat_')) await revokeAccess(services, client, token, request);
    if (isWellFormedSecret(token, 'lkort_')) await revokeRefresh(services, client, token, request);
    return { json: {} };
  },
});

async function revokeAccess(
  services: OAuthServices,
  client: RegisteredClient,
  token: string,
  { facts }: EndpointRequest,
): Promise<void> {
  const { database } = services;
  const digest = digestSecret(token);
  const stored = await lookUp(services, client, facts.ip, () =>
    findAccessToken(database.read, digest),
  );
  const family = stored && (await findFamily(database.read, stored.familyId));
  if (family?.clientId !== client.id) return;
  await database.transaction((tx, announce) => deleteAccessToken(tx, announce, digest));
}

async function revokeRefresh(
  services: OAuthServices,
  client: RegisteredClient,
  token: string,
  { facts }: EndpointRequest,
): Promise<void> {
  const { read } = services.database;
  const stored = await lookUp(services, client, facts.ip, () =>
    findRefreshToken(read, digestSecret(token)),
  );
  const family = stored && (await findFamily(read, stored.familyId));
  if (family?.clientId !== client.id) return;
  await endFamily(services, client, family, 'revoke', facts);
}
