import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { purgeQuotas } from '../../src/storage/quota-store.ts';
import { Quotas } from '../../src/storage/quotas.ts';
import { onEachDatabase, refuseConnections } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import {
  breakQuotas,
  countAsked,
  leasedUnits,
  quotaOf as sharedQuotaOf,
  takeAll,
  takeInParallel,
  takeTimes,
} from './quota-nodes.ts';

const WINDOW_MS = 300_000;

const quotaOf = (server: TestServer, name: string, limit: number, clock?: ManualClock) =>
  sharedQuotaOf(server, 'fixed', name, { limit, windowMs: WINDOW_MS }, clock);

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    // Its housekeeping must not take these windows for old ones.
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  for (const limit of [1, 2, 7, 8, 9, 100, 1_000]) {
    test(`one node alone spends a limit of ${limit} to the last unit`, async () => {
      const quota = quotaOf(server, `alone-${limit}`, limit);
      const node = quota.start();
      for (let left = limit - 1; left >= 0; left--) {
        assert.deepEqual(await node.take(), { isTaken: true, remaining: left, resetMs: WINDOW_MS });
      }
      const refusal = { isTaken: false, remaining: 0, resetMs: WINDOW_MS };
      assert.deepEqual(node.take(), refusal);
      assert.deepEqual(node.take(), refusal);
      assert.deepEqual(await quota.leased(), [limit]);
    });
  }

  test('the database is asked once a slice, not once a unit', async () => {
    const node = quotaOf(server, 'slices', 10_000).start();
    const asked = await countAsked(node, 10_000, true);
    assert.ok(asked < 100, String(asked));
  });

  test('who comes while a slice is under way waits for it, and one lease serves all', async () => {
    const quota = quotaOf(server, 'waiting', 100);
    assert.equal(await takeInParallel([quota.start()], 50), 50);
    assert.deepEqual(await quota.leased(), [50]);
  });

  test('two nodes at the same moment: never more than the limit, and all of it in the end', async () => {
    for (const limit of [1, 10, 80, 100, 1_000]) {
      const quota = quotaOf(server, `two-${limit}`, limit);
      const nodes = [quota.start(), quota.start()];
      const taken = await takeInParallel(nodes, 50);
      assert.ok(taken <= limit, `${taken} of ${limit}`);
      let rest = 0;
      for (const node of nodes) rest += await takeAll(node);
      // Nobody crashed: what was leased was taken.
      assert.equal(taken + rest, limit);
      assert.deepEqual(await quota.leased(), [limit]);
      assert.equal(await takeAll(quota.start()), 0);
    }
  });

  test('what one node leaves in its slice is all that the others lack', async () => {
    const quota = quotaOf(server, 'idle', 1_000);
    const idle = quota.start();
    await takeTimes(idle, 1);
    // The first slice is a hundredth.
    assert.equal(await takeAll(quota.start()), 990);
    assert.equal(await takeAll(idle), 9);
  });

  test('nodes that crash lose their slices, and nobody gets more than the limit', async () => {
    const quota = quotaOf(server, 'crash', 100);
    let taken = 0;
    for (let i = 0; i < 10; i++) {
      await takeTimes(quota.start(), 2);
      taken += 2;
    }
    const [leased = 0] = await quota.leased();
    assert.ok(leased >= taken && leased <= 100);
    assert.equal(await takeAll(quota.start()), 100 - leased);
    assert.deepEqual(await quota.leased(), [100]);
  });

  test('each window has the whole limit, and no more', async () => {
    const quota = quotaOf(server, 'windows', 20);
    const node = quota.start();
    await takeTimes(node, 13);
    quota.clock.advance(WINDOW_MS - 1);
    assert.deepEqual(await node.take(), { isTaken: true, remaining: 6, resetMs: 1 });
    assert.equal(await takeAll(node), 6);
    quota.clock.advance(1);
    assert.deepEqual(await node.take(), { isTaken: true, remaining: 19, resetMs: WINDOW_MS });
    assert.equal(await takeAll(node), 19);
    quota.clock.advance(WINDOW_MS);
    assert.equal(await takeAll(quota.start()), 20);
    assert.deepEqual(await quota.leased(), [20, 20, 20]);
  });

  test('windows begin at the same moment for everybody, whenever a node starts', async () => {
    const clock = new ManualClock(7 * WINDOW_MS + 1_234);
    const quota = quotaOf(server, 'aligned', 5, clock);
    assert.equal((await quota.start().take()).resetMs, WINDOW_MS - 1_234);
    clock.advance(1);
    assert.equal((await quota.start().take()).resetMs, WINDOW_MS - 1_235);
    assert.deepEqual(await quota.leased(), [2]);
  });

  test('a limit that is changed counts from then on', async () => {
    const quota = quotaOf(server, 'changed', 10);
    assert.equal(await takeAll(quota.start(10)), 10);
    assert.equal(await takeAll(quota.start(15)), 5);
    assert.equal(await takeAll(quota.start(12)), 0);
    const name = 'changed-in-place';
    const { database: db } = server.app;
    const quotas = new Quotas(db, new ManualClock(), () => assert.fail());
    const take = (limit: number) => quotas.take(name, { limit, windowMs: WINDOW_MS });
    assert.equal(await takeAll({ take: () => take(3) }), 3);
    assert.equal(await takeAll({ take: () => take(5) }), 2);
    assert.equal(await takeAll({ take: () => take(4) }), 0);
  });

  test('a limit that is lowered while units are leased counts at once', async () => {
    const { database: db } = server.app;
    const quotas = new Quotas(db, new ManualClock(), () => assert.fail());
    const nodeOf = (limit: number) => ({
      take: () => quotas.take('lowered', { limit, windowMs: WINDOW_MS }),
    });
    // Slices of 10 and 20.
    await takeTimes(nodeOf(1_000), 20);
    assert.equal(await takeAll(nodeOf(25)), 5);
    assert.equal(await takeAll(nodeOf(24)), 0);
    assert.equal(await takeAll(nodeOf(30)), 5);
  });

  test('what falls out, as others are more, is given back', async () => {
    const { database: db } = server.app;
    const bounds = { maxEntries: 2 };
    const quotas = new Quotas(db, new ManualClock(), () => assert.fail(), bounds);
    const take = async (name: string) => quotas.take(name, { limit: 1_000, windowMs: WINDOW_MS });
    for (const name of ['fallen-1', 'fallen-2', 'fallen-3']) {
      assert.equal((await take(name)).isTaken, true);
    }
    const leased = async (): Promise<number[]> => {
      const rows = await db.read
        .selectFrom('quota_windows')
        .select('leased')
        .where('name', 'like', 'fallen-%')
        .orderBy('name')
        .execute();
      return rows.map((row) => row.leased);
    };
    await eventually('the slice is given back', async () => (await leased())[0] === 1);
    assert.deepEqual(await leased(), [1, 10, 10]);
    assert.equal((await take('fallen-1')).isTaken, true);
    await eventually('the next one, too', async () => (await leased())[1] === 1);
    await quotas.stop();
    assert.deepEqual(await leased(), [2, 1, 1]);
  });

  test('a process that stood still does not take the database for dead', async () => {
    const node = quotaOf(server, 'stood-still', 10).start();
    const state = node.take();
    // Longer than a caller waits.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    assert.equal((await state).isTaken, true);
    assert.deepEqual(node.troubles, []);
  });

  for (const [limit, credit] of [
    [1, 1],
    [3, 1],
    [4, 1],
    [7, 1],
    [8, 2],
  ] as const) {
    test(`on credit, four nodes do not exceed a limit: ${credit} of ${limit}`, async () => {
      const quota = quotaOf(server, `credit-${limit}`, limit);
      const node = quota.start();
      const restore = await breakQuotas(server);
      const taken = await takeAll(node);
      await restore();
      assert.equal(taken, credit);
    });
  }

  test('a database that fails: a quarter of the limit on credit, and it is made good', async () => {
    const quota = quotaOf(server, 'credit', 100);
    const node = quota.start();
    await takeTimes(node, 1);
    const restore = await breakQuotas(server);
    for (let left = 24; left >= 0; left--) {
      assert.deepEqual(await node.take(), { isTaken: true, remaining: left, resetMs: WINDOW_MS });
    }
    assert.equal((await node.take()).isTaken, false);
    assert.deepEqual(node.troubles, ['failed to lease quotas: calls continue on credit']);
    await restore();
    // It is not asked again before a second has passed.
    quota.clock.advance(999);
    assert.equal((await node.take()).isTaken, false);
    quota.clock.advance(1);
    assert.equal((await node.take()).isTaken, true);
    const [leased = 0] = await quota.leased();
    assert.ok(leased >= 27, String(leased));
    assert.equal(await takeAll(node), 73);
    assert.deepEqual(await quota.leased(), [100]);
    assert.equal(node.troubles.length, 1);
  });

  test('no credit beyond what was left: one node never exceeds the limit', async () => {
    const quota = quotaOf(server, 'bounded-credit', 100);
    const node = quota.start();
    await takeTimes(node, 90);
    const restore = await breakQuotas(server);
    assert.equal(await takeAll(node), 10);
    await restore();
    quota.clock.advance(1_000);
    assert.equal(await takeAll(node), 0);
  });

  test('while the database fails, it is asked once a second and reported once', async () => {
    const quota = quotaOf(server, 'silence', 1_000);
    const node = quota.start();
    const restore = await breakQuotas(server);
    for (let second = 0; second < 5; second++) {
      assert.equal(await countAsked(node, 10, true), 1);
      quota.clock.advance(1_000);
    }
    assert.equal(node.troubles.length, 1);
    await restore();
    await takeTimes(node, 1);
    const restoreAgain = await breakQuotas(server);
    await takeAll(node);
    assert.equal(node.troubles.length, 2);
    await restoreAgain();
  });

  test('windows that are over are deleted, the oldest first, a thousand at a time', async () => {
    const { database: db } = server.app;
    await db.transaction(async (tx) => {
      await tx.deleteFrom('quota_windows').execute();
      for (let i = 1; i <= 1_002; i++) {
        const window = { window_start: i, expires_at: i + 10, leased: 1 };
        await tx
          .insertInto('quota_windows')
          .values({ name: `purge-${i}`, ...window })
          .execute();
      }
    });
    const purge = (beforeMs: number) => db.transaction((tx) => purgeQuotas(tx, beforeMs));
    const oldest = async () => {
      const row = await db.read
        .selectFrom('quota_windows')
        .select('expires_at')
        .orderBy('expires_at')
        .executeTakeFirst();
      return row?.expires_at;
    };
    assert.equal(await purge(11), 0);
    assert.equal(await purge(12), 1);
    assert.equal(await oldest(), 12);
    assert.equal(await purge(10_000), 1_000);
    assert.equal(await oldest(), 1_012);
    assert.equal(await purge(10_000), 1);
    assert.equal(await purge(10_000), 0);
  });
});

test('PostgreSQL is gone: everybody takes on credit, and all is made good when it is back', async (t) => {
  const server = await bootServer('postgres');
  t.after(() => server.stop());
  const quota = quotaOf(server, 'gone', 1_000);
  const nodes = [quota.start(), quota.start()];
  for (const node of nodes) await takeTimes(node, 1);
  const restore = await refuseConnections(server.postgresUrl ?? '');
  // What is left of each slice, and the credit.
  assert.deepEqual(await Promise.all(nodes.map(takeAll)), [9 + 250, 9 + 250]);
  await restore();
  await eventually('what was taken is leased', async () => {
    quota.clock.advance(1_000);
    for (const node of nodes) await node.take();
    const [leased = 0] = await quota.leased();
    return leased > 520;
  });
  for (const node of nodes) await takeAll(node);
  assert.deepEqual(await quota.leased(), [1_000]);
});

test('PostgreSQL falls silent: callers are not kept waiting until it speaks again', async (t) => {
  const direct = await bootServer('postgres');
  t.after(() => direct.stop());
  const proxy = await FreezableProxy.start(direct.postgresUrl ?? '');
  t.after(() => proxy.stop());
  const server = await bootServer('postgres', { besides: { ...direct, postgresUrl: proxy.url } });
  t.after(() => server.stop());
  const quota = quotaOf(server, 'silent', 40);
  const node = quota.start();
  await takeTimes(node, 1);
  proxy.freeze();
  assert.equal(await takeInParallel([node], 20), 10);
  assert.equal(node.troubles.length, 1);
  proxy.thaw();
  // What was asked meanwhile is never answered; what is asked now, is.
  await eventually('a slice is leased', async () => {
    quota.clock.advance(1_000);
    return (await node.take()).isTaken;
  });
  assert.equal(await takeAll(node), 28);
  assert.deepEqual(await leasedUnits(direct, 'silent'), [40]);
});
