import { hash } from 'node:crypto';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { UNKNOWN_TIME } from '../../iam/sessions/start-session.ts';
import { ID_TOKEN_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { Family } from '../tokens/family-store.ts';

interface IdTokenParts {
  /** For `at_hash`. */
  accessToken: string;
  /** A refreshed ID token has no nonce (section 12.2). */
  isRefreshed: boolean;
  /** The claims about the user, see user-claims.ts. */
  userClaims?: Readonly<Record<string, unknown>>;
}

/**
 * Returns an ID token (OpenID Connect Core section 2): who has authorized the client, and the time of that user's last
 * authentication.
 */
export async function createIdToken(
  services: Pick<OAuthServices, 'signingKeys' | 'clock' | 'issuer'>,
  client: Pick<RegisteredClient, 'id' | 'idTokenAlg'>,
  family: Pick<Family, 'userId' | 'authenticatedAtMs' | 'nonce' | 'sid'>,
  { accessToken, isRefreshed, userClaims = {} }: IdTokenParts,
): Promise<string> {
  const issuedAt = toSeconds(services.clock.now());
  return services.signingKeys.sign(client.idTokenAlg, {
    ...userClaims,
    iss: services.issuer(),
    sub: family.userId,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + toSeconds(ID_TOKEN_MS),
    ...(family.authenticatedAtMs !== UNKNOWN_TIME && {
      auth_time: toSeconds(family.authenticatedAtMs),
    }),
    ...(!isRefreshed && family.nonce !== undefined && { nonce: family.nonce }),
    ...(family.sid !== undefined && { sid: family.sid }),
    at_hash: hashAccessToken(accessToken),
  });
}

function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1_000);
}

/** Section 3.1.3.6: the left half of the hash that ES256 and RS256 use. */
function hashAccessToken(accessToken: string): string {
  const digest = hash('sha256', accessToken, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
