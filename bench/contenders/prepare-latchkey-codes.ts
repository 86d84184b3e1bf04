import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { createId } from '../../src/lib/ids.ts';
import { createSecret, digestSecret } from '../../src/lib/secrets.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { insertClient } from '../../src/oauth/clients/client-store.ts';
import { insertFamily } from '../../src/oauth/tokens/family-store.ts';
import { insertUser } from '../../src/iam/users/user-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { type Codes, REDIRECT_URI, SCOPE, createPkce } from '../codes.ts';

/**
 * Makes a data directory, `DATA_DIR`, with the codes that a server on it is to redeem, as many as `CODES`
 * says, written to
 * `CODES_FILE`. As many authorizations of one person and client stay as are allowed, hence many people.
 */
const CODES_PER_USER = 50;

const { DATA_DIR = '', CODES_FILE = '' } = process.env;
mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
const database = openDatabase(
  { databaseUrl: undefined, dataDir: path.resolve(DATA_DIR) },
  (error) => {
    throw error;
  },
  systemClock,
);
await database.migrate();
const nowMs = systemClock.now();
const clientId = createId();
const clientSecret = createSecret('lkcs_');
const { codeVerifier, codeChallenge } = createPkce();
const codes: string[] = [];
await database.transaction(async (tx, announce) => {
  const accountId = createId();
  await tx
    .insertInto('accounts')
    .values({ id: accountId, name: 'Bench', created_at: nowMs })
    .execute();
  await insertClient(
    tx,
    {
      id: clientId,
      accountId,
      name: 'Bench',
      grantTypes: ['authorization_code', 'refresh_token'],
      authMethod: 'client_secret_basic',
      redirectUris: [REDIRECT_URI],
      scopes: SCOPE.split(' '),
      optionalScopes: [],
      postLogoutRedirectUris: [],
      allowedCorsOrigins: [],
      logoUri: undefined,
      policyUri: undefined,
      tosUri: undefined,
      clientUri: undefined,
      idTokenAlg: 'ES256',
      hasIdTokenClaims: true,
      backchannelLogoutUri: undefined,
      isLogoutSessionRequired: undefined,
      visibility: 'public',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      promotedAtMs: nowMs,
      secrets: [],
      verification: undefined,
    },
    digestSecret(clientSecret),
  );
  while (codes.length < Number(process.env.CODES)) {
    const userId = createId();
    await insertUser(tx, {
      id: userId,
      email: `${userId}@example.com`,
      firstName: undefined,
      lastName: undefined,
      passwordHash: undefined,
      createdAtMs: nowMs,
      emailVerifiedAtMs: nowMs,
    });
    const scopes = SCOPE.split(' ');
    const decision = { userId, clientId, accountIds: [], scopes, declinedScopes: [] };
    const grant = await storeGrant(tx, announce, decision, nowMs);
    for (let i = 0; i < CODES_PER_USER; i++) {
      const code = randomBytes(32).toString('base64url');
      const bound = { redirectUri: REDIRECT_URI, codeChallenge, nonce: 'nonce' };
      await insertFamily(
        tx,
        announce,
        { grantId: grant.id, scopes, ...bound, authenticatedAtMs: nowMs, sid: undefined },
        code,
        systemClock.now(),
      );
      codes.push(code);
    }
  }
});
await database.close();
const prepared: Codes = { clientId, clientSecret, redirectUri: REDIRECT_URI, codeVerifier, codes };
writeFileSync(CODES_FILE, JSON.stringify(prepared));
