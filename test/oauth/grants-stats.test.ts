import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { insertForeignClient } from './foreign-client.ts';
import { issueAccessToken } from '../support/access-tokens.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { type Json, type TestServer, bootServer } from '../support/server.ts';
import { createClient } from './client-bodies.ts';

const DAY_MS = 86_400_000;

onEachDatabase((database) => {
  let server: TestServer;
  const clock = new ManualClock();
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  async function stats(clientId: string): Promise<Json> {
    const answer = await server.call('GET', `${server.account}/oauth_clients/${clientId}/stats`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.result;
  }

  const counts = (users: number, grants: number, [day, week, month]: number[]) => ({
    authorized_users: users,
    grants,
    active_users: { last_day: day, last_7_days: week, last_30_days: month },
  });

  async function setLastUsed(grantId: string, lastUsedAtMs: number | null): Promise<void> {
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('oauth_grants')
        .set({ last_used_at: lastUsedAtMs })
        .where('id', '=', grantId)
        .execute();
    });
  }

  test('people, not their grants, are counted; within each time at its limit', async () => {
    const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
    assert.deepEqual(await stats(clientId), counts(0, 0, [0, 0, 0]));
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const { grantId } = await issueAccessToken(server, { userId, clientId, clock });
    const other = { userId, clientId, accountIds: [server.accountId, createId()], clock };
    const { grantId: second } = await issueAccessToken(server, other);
    const nowMs = clock.now();
    await setLastUsed(second, null);
    for (const [agoMs, active] of [
      [0, [1, 1, 1]],
      [DAY_MS - 1, [1, 1, 1]],
      [DAY_MS, [0, 1, 1]],
      [7 * DAY_MS - 1, [0, 1, 1]],
      [7 * DAY_MS, [0, 0, 1]],
      [30 * DAY_MS - 1, [0, 0, 1]],
      [30 * DAY_MS, [0, 0, 0]],
    ] as const) {
      await setLastUsed(grantId, nowMs - agoMs);
      assert.deepEqual(await stats(clientId), counts(1, 2, [...active]), String(agoMs));
    }
    // The latest use of any grant counts.
    await setLastUsed(second, nowMs - DAY_MS + 1);
    assert.deepEqual(await stats(clientId), counts(1, 2, [1, 1, 1]));
    const text = JSON.stringify(await stats(clientId));
    assert.equal(text.includes(userId), false);
  });

  test('many people, in more than one part; those of another client do not count', async () => {
    const { client_id: clientId } = await createClient(server, { scopes: ['tags.read'] });
    const { client_id: otherId } = await createClient(server, { scopes: ['tags.read'] });
    const nowMs = clock.now();
    // One more than are read at once, and one more for whom nothing was ever done.
    const users = Array.from({ length: 4_002 }, createId);
    const grants = users.map((userId, index) => ({
      id: createId(),
      user_id: userId,
      client_id: index === 0 ? otherId : clientId,
      accounts: '[]',
      scopes: '[]',
      declined_scopes: '[]',
      created_at: 0,
      updated_at: 0,
      last_used_at: index === 1 ? null : nowMs,
    }));
    await server.app.database.transaction(async (tx) => {
      for (let start = 0; start < users.length; start += 500) {
        const people = users.slice(start, start + 500).map((id) => ({
          id,
          email: id,
          email_folded: id,
          first_name: null,
          last_name: null,
          password_hash: null,
          created_at: 0,
          email_verified_at: null,
        }));
        await tx.insertInto('users').values(people).execute();
        await tx
          .insertInto('oauth_grants')
          .values(grants.slice(start, start + 500))
          .execute();
      }
    });
    assert.deepEqual(await stats(clientId), counts(4_001, 4_001, [4_000, 4_000, 4_000]));
    assert.deepEqual(await stats(otherId), counts(1, 1, [1, 1, 1]));
  });

  test('an unknown client, one of another account, no id: 404 and 4040', async () => {
    for (const id of [createId(), await insertForeignClient(server), 'x']) {
      const answer = await server.call('GET', `${server.account}/oauth_clients/${id}/stats`);
      assert.deepEqual([answer.status, answer.code], [404, 4040], id);
    }
  });

  test('needs oauth-clients.read', async () => {
    const { client_id: clientId } = await createClient(server);
    const path = `${server.account}/oauth_clients/${clientId}/stats`;
    const read = await server.createToken(['oauth-clients.read']);
    assert.equal((await server.call('GET', path, { token: read.value })).status, 200);
    const none = await server.createToken(['tags.write']);
    assert.equal((await server.call('GET', path, { token: none.value })).status, 403);
  });
});
