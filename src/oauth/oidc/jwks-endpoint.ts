import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';

export const JWKS_PATH = '/.well-known/jwks.json';

// A new key is published for longer than that before it signs, see rotate-keys.ts.
const MAX_AGE_SECONDS = 300;

/** The keys with which clients verify ID tokens (RFC 7517 section 5). */
export const jwksEndpoint = ({ signingKeys }: OAuthServices): Endpoint => ({
  path: JWKS_PATH,
  cors: 'everybody',
  get: async () => ({
    json: { keys: await signingKeys.publicKeys() },
    headers: { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` },
  }),
});
