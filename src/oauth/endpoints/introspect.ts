import { isUsable } from '../../iam/credentials.ts';
import { digestSecret, isWellFormedSecret } from '../../lib/secrets.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { findAccessToken } from '../tokens/token-store.ts';
import { authenticateClient } from './client-authentication.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * `POST /oauth2/introspect` (RFC 7662), for clients that hold a secret, about access tokens of their
 * own. Active is what the API would accept at this moment. A refresh token is never active: who takes
 * the answer for a permission to serve must not be given it for something that opens nothing.
 */
export const introspectEndpoint = (services: OAuthServices): Endpoint => ({
  path: '/oauth2/introspect',
  cors: 'nobody',
  async post(request) {
    const client = await authenticateClient(services, request);
    checkHasSecret(client);
    const token = request.parameters.require('token');
    return { json: (await describe(services, client, token)) ?? { active: false } };
  },
});

/** RFC 7662 section 2.1: whoever knows nothing but a `client_id` must not try tokens out. */
function checkHasSecret({ authMethod }: RegisteredClient): void {
  if (authMethod !== 'none') return;
  const description = 'only clients that authenticate with a secret may introspect tokens';
  throw new ProtocolError('invalid_client', description, { status: 401 });
}

async function describe(
  { accessTokens, clock, database, issuer }: OAuthServices,
  client: RegisteredClient,
  token: string,
): Promise<Record<string, unknown> | undefined> {
  if (!isWellFormedSecret(token, 'lkoat_')) return undefined;
  const digest = digestSecret(token);
  const principal = await accessTokens.resolve(digest);
  if (principal === undefined || !isUsable(principal, clock.now())) return undefined;
  const { authorization, user } = principal;
  if (authorization.clientId !== client.id) return undefined;
  const stored = await findAccessToken(database.read, digest);
  if (stored === undefined) return undefined;
  return {
    active: true,
    // An empty list cannot be written: RFC 6749 appendix A.4.
    ...(authorization.scopes.length > 0 && { scope: authorization.scopes.join(' ') }),
    client_id: client.id,
    ...(authorization.scopes.includes('email') && { username: user.email }),
    sub: user.id,
    exp: Math.floor(authorization.expiresAtMs / 1_000),
    iat: Math.floor(stored.createdAtMs / 1_000),
    iss: issuer(),
    token_type: 'Bearer',
  };
}
