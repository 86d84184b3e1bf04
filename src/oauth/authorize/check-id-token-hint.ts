import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * Whom the client demands, by an ID token that it was given once (OpenID Connect Core section
 * 3.1.2.1). It may have expired, but must be the client's own: it says who somebody is.
 * @returns the id of the person
 * @throws ProtocolError invalid_request for any other text
 */
export async function checkIdTokenHint(
  { signingKeys, issuer }: Pick<OAuthServices, 'signingKeys' | 'issuer'>,
  parameters: Parameters,
  client: Pick<RegisteredClient, 'id'>,
): Promise<string | undefined> {
  const hint = parameters.get('id_token_hint');
  if (hint === undefined) return undefined;
  const claims = await signingKeys.verify(hint);
  const isOwn = claims?.iss === issuer() && [claims.aud].flat().includes(client.id);
  if (isOwn && typeof claims.sub === 'string') return claims.sub;
  throw new ProtocolError('invalid_request', 'id_token_hint is not an ID token of this client');
}
