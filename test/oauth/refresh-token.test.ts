import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { createSecret, digestSecret, isWellFormedSecret } from '../../src/lib/secrets.ts';
import { SealError, sealerFromSecret } from '../../src/lib/sealing.ts';
import { storeGrant } from '../../src/oauth/grants/grant-store.ts';
import { useRefreshToken } from '../../src/oauth/tokens/token-store.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { type CodeOptions, authorize, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Answer, type Json, type TestServer, bootServer } from '../support/server.ts';
import { patch } from './client-bodies.ts';
import {
  assertNotStored,
  assertRefused,
  createTokenClient,
  obtain,
  postAs,
  refresh,
  tagsStatus,
} from './redemptions.ts';

const GRACE_MS = 30_000;
const DAY_MS = 86_400_000;
const IDLE_MS = 30 * DAY_MS;
const FAMILY_MS = 365 * DAY_MS;

onEachDatabase((database) => {
  let server: TestServer;
  let client: Json;
  let userId: string;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
    client = await createTokenClient(server);
  });
  beforeEach(async () => {
    ({ userId } = await createPerson(server, {
      accountId: server.accountId,
      roles: ['tag-admin'],
    }));
  });
  after(() => server.stop());

  function start(options: Partial<CodeOptions> = {}): Promise<Json> {
    return obtain(server, client, { userId, clock, ...options });
  }

  /** The answer must be tokens; what they are. */
  function assertTokens(answer: Answer): Json {
    assert.equal(answer.status, 200, answer.text);
    assertNotStored(answer);
    return answer.json;
  }

  const pairOf = ({ access_token, refresh_token }: Json) => ({ access_token, refresh_token });

  async function assertEnded(...pairs: Json[]): Promise<void> {
    for (const pair of pairs) {
      assert.equal(await tagsStatus(server, pair.access_token), 401);
      assertRefused(await refresh(server, client, pair.refresh_token), 'invalid_grant');
    }
  }

  async function auditTypes(): Promise<string[]> {
    return (await readAuditRows(server.app.database, userId)).map((row) => row.action_type);
  }

  async function announcePerson(): Promise<void> {
    await server.app.database.transaction(async (_tx, announce) => {
      announce(userAnnouncement(userId));
    });
  }

  test('yields a new pair, and the access token from before stays', async () => {
    const first = await start();
    const second = assertTokens(await refresh(server, client, first.refresh_token));
    const { access_token: access, refresh_token: successor, ...rest } = second;
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'tags.read tags.write',
    });
    assert.ok(isWellFormedSecret(successor, 'lkort_'));
    assert.notEqual(successor, first.refresh_token);
    assert.notEqual(access, first.access_token);
    assert.equal(await tagsStatus(server, access), 200);
    assert.equal(await tagsStatus(server, first.access_token), 200);
    assertTokens(await refresh(server, client, successor));
  });

  test('openid adds an ID token', async () => {
    const { refresh_token: token } = await start({ scopes: ['openid', 'tags.read'] });
    const answer = assertTokens(await refresh(server, client, token));
    assert.match(answer.id_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  describe('what is no refresh token of the client', () => {
    test('changes nothing', async () => {
      const { access_token: access, refresh_token: token } = await start();
      const api = await server.createToken(['tags.read']);
      for (const wrong of [
        access,
        api.value,
        token.slice(0, -1),
        `${token}0`,
        ` ${token}`,
        token.toLowerCase(),
        createSecret('lkort_'),
        'x',
      ]) {
        assertRefused(await refresh(server, client, wrong), 'invalid_grant');
      }
      assertRefused(await refresh(server, client, ''), 'invalid_request');
      assertTokens(await refresh(server, client, token));
    });

    test('is another client’s, which is not burnt, used or not', async () => {
      const other = await createTokenClient(server);
      const { refresh_token: token } = await start();
      assertRefused(await refresh(server, other, token), 'invalid_grant');
      const second = assertTokens(await refresh(server, client, token));
      clock.advance(GRACE_MS);
      assertRefused(await refresh(server, other, token), 'invalid_grant');
      assertTokens(await refresh(server, client, second.refresh_token));
    });

    test('is refused with the secret of nobody, and not burnt', async () => {
      const { refresh_token: token } = await start();
      const thief = { ...client, client_secret: 'wrong' };
      assertRefused(await refresh(server, thief, token), 'invalid_client', 401);
      assertTokens(await refresh(server, client, token));
    });
  });

  describe('the scope', () => {
    test('may narrow for this access token, and no further', async () => {
      const { refresh_token: token } = await start();
      const scope = 'tags.read';
      const narrow = assertTokens(await refresh(server, client, token, { scope }));
      assert.equal(narrow.scope, 'tags.read');
      const wide = assertTokens(await refresh(server, client, narrow.refresh_token));
      assert.equal(wide.scope, 'tags.read tags.write');
    });

    test('never widens, not to what the client may ask for either', async () => {
      const { refresh_token: token } = await start({ scopes: ['tags.read'] });
      for (const scope of ['tags.read tags.write', 'email', 'openid', 'nonsense']) {
        assertRefused(await refresh(server, client, token, { scope }), 'invalid_scope');
      }
      assert.equal(assertTokens(await refresh(server, client, token)).scope, 'tags.read');
    });
  });

  describe('the same token again', () => {
    for (const laterMs of [0, GRACE_MS - 1]) {
      test(`within the grace, after ${laterMs} ms: the same pair`, async () => {
        const first = await start();
        const second = assertTokens(await refresh(server, client, first.refresh_token));
        clock.advance(laterMs);
        const again = assertTokens(await refresh(server, client, first.refresh_token));
        assert.deepEqual(pairOf(again), pairOf(second));
        assert.equal(again.scope, second.scope);
        assert.equal(again.expires_in, Math.floor(3_600 - laterMs / 1_000));
        assert.deepEqual(await auditTypes(), []);
        assert.equal(await tagsStatus(server, again.access_token), 200);
        assertTokens(await refresh(server, client, again.refresh_token));
      });
    }

    for (const laterMs of [GRACE_MS, GRACE_MS + 1, 20 * DAY_MS]) {
      test(`past the grace, after ${laterMs} ms: everything ends`, async () => {
        const first = await start();
        const second = assertTokens(await refresh(server, client, first.refresh_token));
        clock.advance(laterMs);
        assertRefused(await refresh(server, client, first.refresh_token), 'invalid_grant');
        await assertEnded(first, second);
        assert.deepEqual(await auditTypes(), ['refresh_token_reuse']);
        const row = (await readAuditRows(server.app.database, userId)).at(-1);
        assert.deepEqual(
          [row?.action_result, row?.actor_id, row?.actor_token_id, row?.request_status_code],
          ['failure', userId, client.client_id, 400],
        );
      });
    }

    test('once its successor was used: everything ends, also within the grace', async () => {
      const first = await start();
      const second = assertTokens(await refresh(server, client, first.refresh_token));
      const third = assertTokens(await refresh(server, client, second.refresh_token));
      assertRefused(await refresh(server, client, first.refresh_token), 'invalid_grant');
      await assertEnded(first, second, third);
      assert.deepEqual(await auditTypes(), ['refresh_token_reuse']);
    });

    test('of 50 at once all get the same pair', async () => {
      const { refresh_token: token } = await start();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => refresh(server, client, token)),
      );
      const pairs = answers.map((answer) => pairOf(assertTokens(answer)));
      for (const pair of pairs) assert.deepEqual(pair, pairs[0]);
      assert.deepEqual(await auditTypes(), []);
      assertTokens(await refresh(server, client, pairs[0]?.refresh_token));
    });

    test('is used up once, although two had found it unused', async () => {
      const { refresh_token: token } = await start();
      const use = { usedAtMs: clock.now(), successor: 'any', sealedResponse: 'any' };
      const outcomes = await server.app.database.transaction(async (tx) => [
        await useRefreshToken(tx, digestSecret(token), use),
        await useRefreshToken(tx, digestSecret(token), use),
      ]);
      assert.deepEqual(outcomes, [true, false]);
    });

    test('is answered from what only its bearer can read', async () => {
      const { refresh_token: token } = await start();
      const second = assertTokens(await refresh(server, client, token));
      const rows = await server.app.database.read
        .selectFrom('oauth_refresh_tokens')
        .selectAll()
        .where('digest', 'in', [digestSecret(token), digestSecret(second.refresh_token)])
        .orderBy('used_at')
        .execute();
      const stored = JSON.stringify(rows);
      for (const secret of [token, second.refresh_token, second.access_token]) {
        assert.equal(stored.includes(secret), false);
      }
      const sealed = rows.find(({ response }) => response !== null)?.response ?? '';
      const other = sealerFromSecret(second.refresh_token, 'refresh answer');
      assert.throws(() => other.open(sealed, digestSecret(token)), SealError);
    });
  });

  describe('the age', () => {
    for (const [ageMs, isGood] of [
      [IDLE_MS - 1, true],
      [IDLE_MS, false],
      [IDLE_MS + 1, false],
    ] as const) {
      test(`of a token that nobody used: ${ageMs} ms`, async () => {
        const { refresh_token: token } = await start();
        clock.advance(ageMs);
        const answer = await refresh(server, client, token);
        if (isGood) assertTokens(answer);
        else assertRefused(answer, 'invalid_grant');
      });
    }

    test('of an authorization, however often it is refreshed', async () => {
      let { refresh_token: token } = await start();
      const step = 25 * DAY_MS;
      let elapsedMs = 0;
      while (elapsedMs + step < FAMILY_MS) {
        clock.advance(step);
        elapsedMs += step;
        ({ refresh_token: token } = assertTokens(await refresh(server, client, token)));
      }
      clock.advance(FAMILY_MS - elapsedMs - 1_000);
      const last = assertTokens(await refresh(server, client, token));
      assert.equal(last.expires_in, 1);
      clock.advance(1_000);
      assert.equal(await tagsStatus(server, last.access_token), 401);
      assertRefused(await refresh(server, client, last.refresh_token), 'invalid_grant');
    });
  });

  describe('is checked anew each time', () => {
    test('a person who is locked', async () => {
      const { refresh_token: token } = await start();
      const lock = async (lockedAtMs: number | null): Promise<void> => {
        await server.app.database.transaction(async (tx, announce) => {
          await tx
            .updateTable('users')
            .set({ locked_at: lockedAtMs })
            .where('id', '=', userId)
            .execute();
          announce(userAnnouncement(userId));
        });
      };
      await lock(clock.now());
      assertRefused(await refresh(server, client, token), 'invalid_grant');
      await lock(null);
      assertTokens(await refresh(server, client, token));
    });

    test('a person who has left the account of a private client', async () => {
      const first = await start({ accountIds: [] });
      const second = assertTokens(await refresh(server, client, first.refresh_token));
      await server.app.database.transaction(async (tx) => {
        await tx.deleteFrom('members').where('user_id', '=', userId).execute();
      });
      await announcePerson();
      assertRefused(await refresh(server, client, second.refresh_token), 'invalid_grant');
      // Nothing comes out of the grace either.
      assertRefused(await refresh(server, client, first.refresh_token), 'invalid_grant');
    });

    test('a person who has left every account that a public client may act in', async () => {
      const open = await createTokenClient(server);
      await server.app.database.transaction(async (tx) => {
        await tx
          .updateTable('oauth_clients')
          .set({ visibility: 'public' })
          .where('id', '=', open.client_id)
          .execute();
      });
      await patch(server, open.client_id, { client_name: 'Open' });
      const tokens = await obtain(server, open, { userId, clock });
      const anywhere = await obtain(server, open, { userId, clock, accountIds: [] });
      await server.app.database.transaction(async (tx) => {
        await tx.deleteFrom('members').where('user_id', '=', userId).execute();
      });
      await announcePerson();
      assertRefused(await refresh(server, open, tokens.refresh_token), 'invalid_grant');
      assertTokens(await refresh(server, open, anywhere.refresh_token));
    });

    test('a client that has lost scopes, or refresh_token', async () => {
      const changing = await createTokenClient(server);
      const tokens = await obtain(server, changing, { userId, clock });
      await patch(server, changing.client_id, { scopes: ['tags.read'] });
      const second = assertTokens(await refresh(server, changing, tokens.refresh_token));
      assert.equal(second.scope, 'tags.read');
      const scope = { scope: 'tags.write' };
      const gone = await refresh(server, changing, second.refresh_token, scope);
      assertRefused(gone, 'invalid_scope');
      await patch(server, changing.client_id, { scopes: ['email'] });
      assertRefused(await refresh(server, changing, second.refresh_token), 'invalid_grant');
      await patch(server, changing.client_id, {
        scopes: ['tags.read'],
        grant_types: ['authorization_code'],
      });
      const unauthorized = await refresh(server, changing, second.refresh_token);
      assertRefused(unauthorized, 'unauthorized_client');
    });

    test('a client that was deleted', async () => {
      const doomed = await createTokenClient(server);
      const tokens = await obtain(server, doomed, { userId, clock });
      await server.call('DELETE', `${server.account}/oauth_clients/${doomed.client_id}`);
      const answer = await refresh(server, doomed, tokens.refresh_token);
      assertRefused(answer, 'invalid_client', 401);
      assert.equal(await tagsStatus(server, tokens.access_token), 401);
    });

    test('what the person allows now', async () => {
      const { refresh_token: token } = await start();
      const allow = (scopes: string[]): Promise<unknown> =>
        server.app.database.transaction((tx, announce) => {
          const decision = { userId, clientId: client.client_id, scopes, declinedScopes: [] };
          const accountIds = [server.accountId];
          return storeGrant(tx, announce, { ...decision, accountIds }, clock.now());
        });
      await allow(['tags.read']);
      const second = assertTokens(await refresh(server, client, token));
      assert.equal(second.scope, 'tags.read');
      // What was not authorized then does not come by a later decision.
      await allow(['tags.read', 'tags.write', 'email']);
      const third = assertTokens(await refresh(server, client, second.refresh_token));
      assert.equal(third.scope, 'tags.read tags.write');
    });
  });

  test('a code that is used again ends what was refreshed meanwhile', async () => {
    const code = await authorize(server, {
      userId,
      clientId: client.client_id,
      scopes: ['tags.read'],
      clock,
    });
    const first = (await redeem(server, client, code)).json;
    const second = assertTokens(await refresh(server, client, first.refresh_token));
    assertRefused(await redeem(server, client, code), 'invalid_grant');
    await assertEnded(first, second);
  });

  test('nothing but a refresh token can be sent as one', async () => {
    const answer = await postAs(server, client, '/oauth2/token', { grant_type: 'refresh_token' });
    assertRefused(answer, 'invalid_request');
  });
});
