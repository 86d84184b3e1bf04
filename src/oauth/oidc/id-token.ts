import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Family } from '../tokens/family-store.ts';

/**
 * PLACEHOLDER of the lead: the owner of oidc/ replaces the body, keeping the signature.
 * @param accessToken for `at_hash`
 * @param isRefreshed then it carries no nonce
 */
export async function createIdToken(
  services: Pick<OAuthServices, 'signingKeys' | 'clock' | 'issuer'>,
  client: Pick<RegisteredClient, 'id' | 'idTokenAlg'>,
  family: Family,
  accessToken: string,
  isRefreshed: boolean,
): Promise<string> {
  throw new Error(
    `not there yet ${client.id} ${family.id} ${accessToken} ${isRefreshed} ${services.issuer()}`,
  );
}
