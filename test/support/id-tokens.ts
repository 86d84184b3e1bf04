import { randomBytes } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { MasterKey } from '../../src/lib/sealing.ts';
import { createIdToken } from '../../src/oauth/oidc/id-token.ts';
import { SigningKeys } from '../../src/oauth/oidc/signing-keys.ts';
import type { TestDatabase } from './databases.ts';
import { type BootOptions, type Json, type TestServer, bootServer, request } from './server.ts';

const MASTER_KEY_BYTES = randomBytes(32);

/** Of a server that {@link bootWithKeys} boots. */
export const masterKey = new MasterKey(MASTER_KEY_BYTES);

/** A server whose master key the test knows, and the signing keys as such a server sees them. */
export async function bootWithKeys(
  database: TestDatabase,
  options: BootOptions = {},
): Promise<{ server: TestServer; keys: SigningKeys }> {
  const { clock = systemClock } = options;
  const server = await bootServer(database, {
    ...options,
    settings: { ...options.settings, MASTER_KEY: MASTER_KEY_BYTES.toString('base64') },
  });
  return { server, keys: new SigningKeys(server.app.database, clock, masterKey) };
}

/** What clients verify ID tokens with. */
export async function fetchKeys({ origin }: Pick<TestServer, 'origin'>): Promise<JSONWebKeySet> {
  const { json } = await request('GET', `${origin}/.well-known/jwks.json`);
  return json as JSONWebKeySet;
}

/** An ID token as the server issues them. */
export function issueIdToken(
  { origin }: Pick<TestServer, 'origin'>,
  signingKeys: SigningKeys,
  { userId, client, clock = systemClock }: { userId: string; client: Json; clock?: Clock },
): Promise<string> {
  return createIdToken(
    { signingKeys, clock, issuer: () => origin },
    { id: client.client_id, idTokenAlg: 'ES256' },
    { userId, authenticatedAtMs: clock.now(), nonce: undefined, sid: undefined },
    { accessToken: 'the access token', isRefreshed: false },
  );
}
