import { createHash, randomBytes } from 'node:crypto';

/** Authorization codes that wait to be redeemed, and what else their client sends. */
export interface Codes {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  codeVerifier: string;
  codes: string[];
}

export const REDIRECT_URI = 'https://app.example.com/callback';
export const SCOPE = 'openid offline_access';

/** A code verifier and its challenge (RFC 7636 section 4). */
export function createPkce(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return { codeVerifier, codeChallenge };
}
