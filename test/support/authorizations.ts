import { createHash, randomBytes } from 'node:crypto';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { withOrigin } from '../../src/oauth/grants/redirect-origin.ts';
import { insertFamily } from '../../src/oauth/tokens/family-store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { noteSecret } from './secrets-in-logs.ts';
import { type Answer, type Json, type TestServer, request } from './server.ts';

export const REDIRECT_URI = 'https://app.example.com/callback';

export interface CodeOptions {
  userId: string;
  clientId: string;
  /** Default: the first account. */
  accountIds?: string[];
  /** Default: `openid`, `tags.read`. */
  scopes?: string[];
  /** Default: {@link REDIRECT_URI}. */
  redirectUri?: string;
  codeChallenge?: string;
  nonce?: string;
  clock?: Clock;
}

/** Has a person authorize a client, straight in the database; answers the code. */
export async function authorize(server: TestServer, options: CodeOptions): Promise<string> {
  const { userId, clientId, accountIds = [server.accountId], clock = systemClock } = options;
  const scopes = options.scopes ?? ['openid', 'tags.read'];
  const code = randomBytes(32).toString('base64url');
  noteSecret(code);
  await server.app.database.transaction(async (tx, announce) => {
    const scopesByOrigin = withOrigin({}, options.redirectUri ?? REDIRECT_URI, scopes);
    const decision = { userId, clientId, accountIds, scopes, declinedScopes: [], scopesByOrigin };
    const grant = await storeGrant(tx, announce, decision, clock.now());
    await insertFamily(
      tx,
      announce,
      {
        grantId: grant.id,
        scopes,
        redirectUri: options.redirectUri ?? REDIRECT_URI,
        codeChallenge: options.codeChallenge,
        nonce: options.nonce,
        authenticatedAtMs: clock.now(),
        sid: undefined,
      },
      code,
      clock.now(),
    );
  });
  return code;
}

/** A new code verifier and its challenge (RFC 7636 section 4). */
export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The value of an `Authorization: Basic` header (RFC 6749 section 2.3.1). */
export function basic(clientId: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}`;
}

/** Sends a form to an endpoint of the authorization server. */
export function postForm(
  server: Pick<TestServer, 'origin'>,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request('POST', server.origin + path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Redeems a code as its client does; whatever comes of it. */
export function redeem(
  server: Pick<TestServer, 'origin'>,
  client: Json,
  code: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const body = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...fields };
  if (client.client_secret === undefined) {
    return postForm(server, '/oauth2/token', { client_id: client.client_id, ...body });
  }
  return postForm(server, '/oauth2/token', body, {
    authorization: basic(client.client_id, client.client_secret),
  });
}
