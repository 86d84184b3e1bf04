import { randomBytes } from 'node:crypto';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { withOrigin } from '../../src/oauth/grants/redirect-origin.ts';
import { ACCESS_TOKEN_MS } from '../../src/oauth/lifetimes.ts';
import { findFamilyByCode, insertFamily } from '../../src/oauth/tokens/family-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSecret, digestSecret } from '../../src/lib/secrets.ts';
import { type CodeOptions, REDIRECT_URI } from './authorizations.ts';
import type { TestServer } from './server.ts';

/** An access token, and what it hangs on. */
export interface IssuedToken {
  value: string;
  grantId: string;
  familyId: string;
}

/** Has a person authorize a client and gives the client its access token, straight in the database. */
export async function issueAccessToken(
  server: Pick<TestServer, 'app' | 'accountId'>,
  options: CodeOptions,
): Promise<IssuedToken> {
  const { userId, clientId, accountIds = [server.accountId], clock = systemClock } = options;
  const { scopes = ['openid', 'tags.read'], redirectUri = REDIRECT_URI } = options;
  const nowMs = clock.now();
  const value = createSecret('lkoat_');
  return server.app.database.transaction(async (tx, announce) => {
    const scopesByOrigin = withOrigin({}, redirectUri, scopes);
    const decision = { userId, clientId, accountIds, scopes, declinedScopes: [], scopesByOrigin };
    const { id: grantId } = await storeGrant(tx, announce, decision, nowMs);
    const code = randomBytes(32).toString('base64url');
    await insertFamily(
      tx,
      announce,
      {
        grantId,
        scopes,
        redirectUri,
        codeChallenge: undefined,
        nonce: undefined,
        authenticatedAtMs: nowMs,
        sid: undefined,
      },
      code,
      nowMs,
    );
    const family = await findFamilyByCode(tx, code);
    if (family === undefined) throw new Error('the family was not stored');
    await tx
      .insertInto('oauth_access_tokens')
      .values({
        digest: digestSecret(value),
        family_id: family.id,
        scopes: JSON.stringify(scopes),
        created_at: nowMs,
        expires_at: nowMs + ACCESS_TOKEN_MS,
      })
      .execute();
    return { value, grantId, familyId: family.id };
  });
}
