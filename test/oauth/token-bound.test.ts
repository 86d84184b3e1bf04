import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { authorize, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { bootServer } from '../support/server.ts';
import { assertRefused, createTokenClient, obtain, refresh, tagsStatus } from './redemptions.ts';

const MAX_TOKENS = 1_000;
const REFRESHES_PER_CHECK = 100;
const MAX_FAMILIES = 100;

onEachDatabase((database) => {
  test('of very many tokens of one authorization the oldest end', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const { database: storage } = server.app;
    const client = await createTokenClient(server);
    const { accountId } = server;
    const { userId } = await createPerson(server, { accountId, roles: ['tag-admin'] });
    const countTokens = async (): Promise<{ access: number; used: number }> => {
      const access = await storage.read
        .selectFrom('oauth_access_tokens')
        .select('digest')
        .execute();
      const used = await storage.read
        .selectFrom('oauth_refresh_tokens')
        .select('digest')
        .where('used_at', 'is not', null)
        .execute();
      return { access: access.length, used: used.length };
    };
    const first = await obtain(server, client, { userId, clock });
    assert.equal(await tagsStatus(server, first.access_token), 200);

    clock.advance(60_000);
    await storage.transaction(async (tx) => {
      const { id } = await tx
        .updateTable('oauth_families')
        .set({ refreshes: REFRESHES_PER_CHECK - 2 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const times = Array.from({ length: MAX_TOKENS }, (_none, index) => clock.now() - index);
      const rows = times.map((timeMs) => ({
        digest: createId(),
        family_id: id,
        created_at: timeMs,
        expires_at: clock.now() + 60_000,
      }));
      const scopes = '[]';
      await tx
        .insertInto('oauth_access_tokens')
        .values(rows.map((row) => ({ ...row, scopes })))
        .execute();
      await tx
        .insertInto('oauth_refresh_tokens')
        .values(rows.map((row) => ({ ...row, used_at: row.created_at })))
        .execute();
    });
    clock.advance(1);
    const second = (await refresh(server, client, first.refresh_token)).json;
    assert.deepEqual(await countTokens(), { access: MAX_TOKENS + 2, used: MAX_TOKENS + 1 });
    assert.equal(await tagsStatus(server, first.access_token), 200);

    clock.advance(1);
    const third = (await refresh(server, client, second.refresh_token)).json;
    assert.deepEqual(await countTokens(), { access: MAX_TOKENS + 1, used: MAX_TOKENS + 1 });
    assert.equal(await tagsStatus(server, first.access_token), 401);
    assert.equal(await tagsStatus(server, second.access_token), 200);
    assert.equal(await tagsStatus(server, third.access_token), 200);
    // The reuse of the youngest is still recognised: within the grace it is answered, then it is not.
    const again = await refresh(server, client, second.refresh_token);
    assert.equal(again.json.refresh_token, third.refresh_token);
    assertRefused(await refresh(server, client, first.refresh_token), 'invalid_grant');
    assert.deepEqual(await countTokens(), { access: 0, used: 0 });
  });

  test('of very many authorizations by one grant the oldest end, codes without tokens first', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const client = await createTokenClient(server);
    const { accountId } = server;
    const { userId } = await createPerson(server, { accountId, roles: ['tag-admin'] });
    const makeCode = (): Promise<string> => {
      clock.advance(1);
      const { client_id: clientId } = client;
      return authorize(server, { userId, clientId, scopes: ['tags.read'], clock });
    };
    const first = await obtain(server, client, { userId, scopes: ['tags.read'], clock });
    const statusOfFirst = (): Promise<number> => tagsStatus(server, first.access_token);
    // Any page of the web can have a browser make them, as long as the person has allowed the client.
    const codes: string[] = [];
    for (let count = 0; count <= MAX_FAMILIES; count++) codes.push(await makeCode());
    assert.equal(await statusOfFirst(), 200);
    assertRefused(await redeem(server, client, codes[0] ?? ''), 'invalid_grant');
    assert.equal((await redeem(server, client, codes[1] ?? '')).status, 200);

    for (let count = 2; count < MAX_FAMILIES; count++) {
      assert.equal((await redeem(server, client, await makeCode())).status, 200);
    }
    assert.equal(await statusOfFirst(), 200);
    await makeCode();
    assert.equal(await statusOfFirst(), 401);
  });
});
