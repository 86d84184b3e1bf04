import { createSecret } from '../../lib/secrets.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { EndpointReply } from '../endpoints/endpoint.ts';
import { ACCESS_TOKEN_MS, FAMILY_MS, IDLE_REFRESH_MS, REUSE_KNOWN_MS } from '../lifetimes.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { createIdToken } from '../oidc/id-token.ts';
import { describesUser, loadUserClaims } from '../oidc/user-claims.ts';
import type { Family } from './family-store.ts';

/** The tokens that come out of one request. */
export interface TokenPair {
  accessToken: string;
  /** Of the access token. */
  scopes: string[];
  accessExpiresAtMs: number;
  /** Undefined for a client that does not list `refresh_token`. */
  refreshToken: string | undefined;
}

/** New tokens of an authorization, not stored yet. */
export function createPair(
  client: Pick<RegisteredClient, 'grantTypes'>,
  family: Pick<Family, 'createdAtMs'>,
  scopes: string[],
  nowMs: number,
): TokenPair {
  return {
    accessToken: createSecret('lkoat_'),
    scopes,
    accessExpiresAtMs: Math.min(nowMs + ACCESS_TOKEN_MS, endOfFamily(family)),
    refreshToken: client.grantTypes.includes('refresh_token') ? createSecret('lkort_') : undefined,
  };
}

/** Until when a refresh token that is issued now can be used. */
export function refreshExpiryMs(family: Pick<Family, 'createdAtMs'>, nowMs: number): number {
  return Math.min(nowMs + IDLE_REFRESH_MS, endOfFamily(family));
}

/** Until when something of an authorization can be of use after it has yielded these tokens. */
export function familyKeptUntilMs(
  { accessExpiresAtMs, refreshToken }: TokenPair,
  nowMs: number,
): number {
  if (refreshToken === undefined) return accessExpiresAtMs;
  return nowMs + Math.max(IDLE_REFRESH_MS, REUSE_KNOWN_MS);
}

function endOfFamily({ createdAtMs }: Pick<Family, 'createdAtMs'>): number {
  return createdAtMs + FAMILY_MS;
}

/** An ID token beside an access token, if that is for `openid` (OpenID Connect Core section 3.1.3.3). */
export async function createIdTokenFor(
  services: Pick<OAuthServices, 'database' | 'users' | 'signingKeys' | 'clock' | 'issuer'>,
  client: RegisteredClient,
  family: Family,
  { accessToken, scopes }: TokenPair,
  isRefreshed: boolean,
): Promise<string | undefined> {
  if (!scopes.includes('openid')) return undefined;
  const { userId, accountIds } = family;
  const hasClaims = client.hasIdTokenClaims && describesUser(scopes);
  const userClaims = hasClaims
    ? await loadUserClaims(services, userId, { scopes, accountIds })
    : undefined;
  const parts = { accessToken, isRefreshed, userClaims: userClaims ?? {} };
  return createIdToken(services, client, family, parts);
}

/** The answer of RFC 6749 section 5.1. */
export function presentPair(
  { accessToken, scopes, accessExpiresAtMs, refreshToken }: TokenPair,
  idToken: string | undefined,
  nowMs: number,
): EndpointReply {
  return {
    json: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.max(0, Math.floor((accessExpiresAtMs - nowMs) / 1_000)),
      // An empty list cannot be written: RFC 6749 appendix A.4.
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(idToken !== undefined && { id_token: idToken }),
    },
  };
}
