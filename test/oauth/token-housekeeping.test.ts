import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addHousekeeping } from '../../src/oauth/housekeeping.ts';
import { lockFamily } from '../../src/oauth/tokens/family-store.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { authorize, redeem } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson } from '../support/people.ts';
import { bootServer } from '../support/server.ts';
import { assertRefused, createTokenClient, obtain, refresh } from './redemptions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GRACE_MS = 30_000;

onEachDatabase((database) => {
  test('what is of no use any more goes, and nothing sooner', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const { database: storage } = server.app;
    const work = new PeriodicWork(storage, clock, (error) => assert.ifError(error));
    addHousekeeping(work, storage);
    const client = await createTokenClient(server);
    const { userId } = await createPerson(server, { accountId: server.accountId });
    // The server's own first round may be at it.
    const tidy = () => eventually('a round', () => work.runNow('oauth-housekeeping'));
    const count = async (
      table: 'oauth_families' | 'oauth_access_tokens' | 'oauth_refresh_tokens',
    ): Promise<number> =>
      (await storage.read.selectFrom(table).select('expires_at').execute()).length;
    const counts = async (): Promise<number[]> => [
      await count('oauth_families'),
      await count('oauth_access_tokens'),
      await count('oauth_refresh_tokens'),
    ];
    const answers = async (): Promise<number> =>
      (
        await storage.read
          .selectFrom('oauth_refresh_tokens')
          .select('digest')
          .where('response', 'is not', null)
          .execute()
      ).length;

    const first = await obtain(server, client, { userId, clock });
    const second = (await refresh(server, client, first.refresh_token)).json;
    clock.advance(GRACE_MS - 1);
    await tidy();
    assert.equal(await answers(), 1);
    clock.advance(1);
    await tidy();
    assert.equal(await answers(), 0);
    assert.deepEqual(await counts(), [1, 2, 2]);

    clock.advance(HOUR_MS);
    await tidy();
    assert.deepEqual(await counts(), [1, 0, 2]);

    // Some days before it would expire: the one that was used is kept for thirty days more.
    clock.advance(25 * DAY_MS);
    const third = (await refresh(server, client, second.refresh_token)).json;
    clock.advance(DAY_MS * 30 - 1);
    await tidy();
    // Of the first one nobody knows any more, but the second one's reuse is still recognised.
    assert.deepEqual(await counts(), [1, 0, 2]);
    assertRefused(await refresh(server, client, first.refresh_token), 'invalid_grant');
    assert.deepEqual(await counts(), [1, 0, 2]);
    const fourth = await refresh(server, client, third.refresh_token);
    assert.equal(fourth.status, 200);
    assertRefused(await refresh(server, client, second.refresh_token), 'invalid_grant');
    assert.deepEqual(await counts(), [0, 0, 0]);
  });

  test('a code that nobody redeemed, and an authorization without refresh tokens', async (t) => {
    const clock = new ManualClock();
    const server = await bootServer(database, { clock });
    t.after(() => server.stop());
    const { database: storage } = server.app;
    const work = new PeriodicWork(storage, clock, (error) => assert.ifError(error));
    addHousekeeping(work, storage);
    const client = await createTokenClient(server, { grant_types: ['authorization_code'] });
    const { userId } = await createPerson(server, { accountId: server.accountId });
    const families = async (): Promise<number> => {
      await eventually('a round', () => work.runNow('oauth-housekeeping'));
      return (await storage.read.selectFrom('oauth_families').select('id').execute()).length;
    };
    const { client_id: clientId } = client;
    await authorize(server, { userId, clientId, scopes: ['tags.read'], clock });
    const code = await authorize(server, { userId, clientId, scopes: ['tags.read'], clock });
    clock.advance(59_000);
    assert.equal((await redeem(server, client, code)).status, 200);
    clock.advance(HOUR_MS - 1);
    assert.equal(await families(), 2);
    clock.advance(1);
    assert.equal(await families(), 1);
    clock.advance(60_000);
    assert.equal(await families(), 0);
  });
});

test('an authorization that is refreshed in its last moment stays', async (t) => {
  const clock = new ManualClock();
  const server = await bootServer('postgres', { clock });
  t.after(() => server.stop());
  const { database: storage } = server.app;
  const work = new PeriodicWork(storage, clock, (error) => assert.ifError(error));
  addHousekeeping(work, storage);
  const client = await createTokenClient(server);
  const { userId } = await createPerson(server, { accountId: server.accountId });
  await obtain(server, client, { userId, clock });
  const { id } = await storage.read
    .selectFrom('oauth_families')
    .select('id')
    .executeTakeFirstOrThrow();
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(storage.read);
    return rows.length > 0;
  };
  // So that the server's own first round is over.
  await eventually('a round', () => work.runNow('oauth-housekeeping'));
  clock.advance(30 * DAY_MS);
  let tidying: Promise<boolean> | undefined;
  await storage.transaction(async (tx) => {
    await lockFamily(tx, id, clock.now() + DAY_MS);
    // It has found the family expired, and waits to delete it.
    tidying = work.runNow('oauth-housekeeping');
    await eventually('the purge waits', isWaiting);
  });
  assert.equal(await tidying, true);
  const families = await storage.read.selectFrom('oauth_families').select('id').execute();
  assert.deepEqual(families, [{ id }]);
});
