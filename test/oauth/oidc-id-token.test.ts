import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { createIdToken } from '../../src/oauth/oidc/id-token.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootWithKeys, fetchKeys } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';

const CLIENT_ID = 'c'.repeat(32);
const USER_ID = 'd'.repeat(32);

onEachDatabase((database) => {
  test('says who has authorized whom, and when; signed as the client has registered', async (t) => {
    const clock = new ManualClock();
    const { server, keys: signingKeys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const services = { signingKeys, clock, issuer: () => server.origin };
    const family = {
      userId: USER_ID,
      authenticatedAtMs: clock.now() - 90_999,
      nonce: 'n-1',
      sid: undefined,
    };
    const issuedAt = clock.now() / 1_000;
    clock.advance(999);
    for (const idTokenAlg of ['ES256', 'RS256'] as const) {
      const client = { id: CLIENT_ID, idTokenAlg };
      const jwt = await createIdToken(services, client, family, {
        accessToken: 'lkoat_x',
        isRefreshed: false,
      });
      const { payload, protectedHeader } = await jwtVerify(
        jwt,
        createLocalJWKSet(await fetchKeys(server)),
        { issuer: server.origin, audience: CLIENT_ID, currentDate: new Date(clock.now()) },
      );
      const { kid, ...header } = protectedHeader;
      assert.equal(typeof kid, 'string');
      assert.deepEqual(header, { alg: idTokenAlg, typ: 'JWT' });
      assert.deepEqual(payload, {
        iss: server.origin,
        sub: USER_ID,
        aud: CLIENT_ID,
        iat: issuedAt,
        exp: issuedAt + 3_600,
        auth_time: issuedAt - 91,
        nonce: 'n-1',
        at_hash: createHash('sha256')
          .update('lkoat_x')
          .digest()
          .subarray(0, 16)
          .toString('base64url'),
      });
    }
  });

  test('carries no nonce when it is refreshed, or when none was sent', async (t) => {
    const clock = new ManualClock();
    const { server, keys } = await bootWithKeys(database, { clock });
    t.after(() => server.stop());
    const services = { signingKeys: keys, clock, issuer: () => server.origin };
    const client = { id: CLIENT_ID, idTokenAlg: 'ES256' as const };
    const family = {
      userId: USER_ID,
      authenticatedAtMs: clock.now(),
      nonce: 'n-1',
      sid: undefined,
    };
    const refreshed = await createIdToken(services, client, family, {
      accessToken: 'lkoat_x',
      isRefreshed: true,
    });
    const plain = await createIdToken(
      services,
      client,
      { ...family, nonce: undefined },
      { accessToken: 'lkoat_x', isRefreshed: false },
    );
    for (const jwt of [refreshed, plain]) {
      const claims = await keys.verify(jwt);
      const names = ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sub'];
      assert.deepEqual(Object.keys(claims ?? {}).sort(), names);
    }
  });
});
