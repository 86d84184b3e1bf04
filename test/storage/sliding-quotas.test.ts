import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addHousekeeping } from '../../src/iam/housekeeping.ts';
import type { PeriodicWork } from '../../src/storage/periodic-work.ts';
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

const WINDOW_MS = 60_000;
// A thirtieth of it.
const BUCKET_MS = 2_000;

const quotaOf = (server: TestServer, name: string, limit: number, windowMs = WINDOW_MS) =>
  sharedQuotaOf(server, 'sliding', name, { limit, windowMs });

/** The same numbers at every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock: new ManualClock() });
  });
  after(() => server.stop());

  for (const limit of [1, 2, 7, 8, 9, 100, 1_000]) {
    test(`one node alone takes a limit of ${limit} to the last unit`, async () => {
      const quota = quotaOf(server, `alone-${limit}`, limit);
      const node = quota.start();
      // The whole bucket counts.
      const resetMs = WINDOW_MS + BUCKET_MS;
      for (let left = limit - 1; left >= 0; left--) {
        assert.deepEqual(await node.take(), { isTaken: true, remaining: left, resetMs });
      }
      assert.deepEqual(await node.take(), { isTaken: false, remaining: 0, resetMs });
      assert.deepEqual(await quota.leased(), [limit]);
    });
  }

  test('what was taken comes back when it is older than the window, and not before', async () => {
    const quota = quotaOf(server, 'three', 3, 10_000);
    const { clock } = quota;
    // Parts of 334 ms; the clock stands somewhere in the first.
    const bucketMs = 334;
    clock.advance(bucketMs - (clock.now() % bucketMs) + 50);
    const node = quota.start();
    await takeTimes(node, 1);
    clock.advance(5_000);
    await takeTimes(node, 2);
    const refusal = await node.take();
    const leavesInMs = 10_000 + (bucketMs - 50) - 5_000;
    assert.deepEqual(refusal, { isTaken: false, remaining: 0, resetMs: leavesInMs });
    clock.advance(refusal.resetMs - 1);
    assert.deepEqual(await node.take(), { isTaken: false, remaining: 0, resetMs: 1 });
    clock.advance(1);
    // The one of the beginning, and not the two that came later.
    assert.equal(await takeAll(node), 1);
    clock.advance((await node.take()).resetMs - 1);
    assert.equal(await takeAll(node), 0);
    clock.advance(1);
    assert.equal(await takeAll(node), 2);
  });

  test('no window has more than the limit where a fixed one would have twice as much', async () => {
    const quota = quotaOf(server, 'edge', 20);
    const node = quota.start();
    quota.clock.advance(WINDOW_MS - (quota.clock.now() % WINDOW_MS) - 1);
    await takeTimes(node, 20);
    quota.clock.advance(2);
    assert.equal(await takeAll(node), 0);
    assert.equal(await takeAll(quota.start()), 0);
  });

  test('two nodes at the same moment: never more than the limit, and all of it in the end', async () => {
    for (const limit of [1, 5, 10, 80, 100]) {
      const quota = quotaOf(server, `two-${limit}`, limit);
      const nodes = [quota.start(), quota.start()];
      const taken = await takeInParallel(nodes, 50);
      let rest = 0;
      for (const node of nodes) rest += await takeAll(node);
      assert.equal(taken + rest, limit);
      assert.deepEqual(await quota.leased(), [limit]);
      assert.equal(await takeAll(quota.start()), 0);
    }
  });

  test('three nodes at any moments: no window ever has more than the limit, and most have all', async () => {
    const limit = 40;
    const quota = quotaOf(server, 'random', limit);
    const nodes = [quota.start(), quota.start(), quota.start()];
    const random = createRandom(7);
    const takenAtMs: number[] = [];
    for (let i = 0; i < 600; i++) {
      quota.clock.advance(Math.floor(random() * 700));
      const node = nodes[Math.floor(random() * nodes.length)];
      const state = await node?.take();
      if (state?.isTaken) takenAtMs.push(quota.clock.now());
    }
    let most = 0;
    for (const endMs of takenAtMs) {
      const inWindow = takenAtMs.filter((atMs) => atMs > endMs - WINDOW_MS && atMs <= endMs);
      most = Math.max(most, inWindow.length);
    }
    assert.ok(most <= limit, String(most));
    assert.ok(most >= limit - 4, String(most));
  });

  test('what is left of a slice is given back when its bucket is over', async () => {
    const quota = quotaOf(server, 'leftover', 1_000);
    const [node, other] = [quota.start(), quota.start()];
    await takeTimes(node, 1);
    // A slice is a hundredth.
    assert.deepEqual(await quota.leased(), [10]);
    quota.clock.advance(BUCKET_MS);
    await takeTimes(node, 1);
    assert.deepEqual(await quota.leased(), [1, 10]);
    assert.equal(await takeAll(other), 989);
    assert.equal(await takeAll(node), 9);
  });

  test('a node that crashes loses its slice until its bucket has left the window', async () => {
    const quota = quotaOf(server, 'crash', 100);
    for (let i = 0; i < 10; i++) await takeTimes(quota.start(), 2);
    const [leased = 0] = await quota.leased();
    assert.ok(leased >= 20 && leased <= 40, String(leased));
    assert.equal(await takeAll(quota.start()), 100 - leased);
    quota.clock.advance(WINDOW_MS + BUCKET_MS - 1);
    assert.equal(await takeAll(quota.start()), 0);
    quota.clock.advance(1);
    assert.equal(await takeAll(quota.start()), 100);
  });

  test('a node that stops gives its slice back', async () => {
    const quota = quotaOf(server, 'stop', 1_000);
    const node = quota.start();
    await takeTimes(node, 1);
    await node.quotas.stop();
    assert.deepEqual(await quota.leased(), [1]);
    assert.equal(await takeAll(quota.start()), 999);
    assert.deepEqual(node.troubles, []);
  });

  test('a lease that comes when its bucket is over is not taken from', async () => {
    const quota = quotaOf(server, 'late', 100);
    const node = quota.start();
    const state = node.take();
    quota.clock.advance(BUCKET_MS);
    assert.equal((await state).isTaken, true);
    // It was given back with the lease of the bucket that it was taken in.
    assert.deepEqual(await quota.leased(), [1]);
    assert.equal(await takeAll(node), 99);
  });

  test('while the limit is reached, the database is asked once a bucket', async () => {
    const quota = quotaOf(server, 'refusals', 5);
    const node = quota.start();
    await takeTimes(node, 5);
    for (let bucket = 0; bucket < 3; bucket++) {
      assert.equal(await countAsked(node, 10, false), bucket === 0 ? 0 : 1);
      quota.clock.advance(BUCKET_MS);
    }
  });

  test('a limit that is changed counts from then on', async () => {
    const quota = quotaOf(server, 'changed', 10);
    assert.equal(await takeAll(quota.start(10)), 10);
    assert.equal(await takeAll(quota.start(15)), 5);
    assert.equal(await takeAll(quota.start(12)), 0);
  });

  test('a database that fails: a quarter of the limit on credit, which counts until it is old', async () => {
    const quota = quotaOf(server, 'credit', 100);
    const node = quota.start();
    await takeTimes(node, 1);
    const restore = await breakQuotas(server);
    quota.clock.advance(BUCKET_MS);
    await takeTimes(node, 20);
    quota.clock.advance(BUCKET_MS);
    // In other buckets too, and never more than that in a window.
    assert.equal(await takeAll(node), 5);
    assert.equal(node.troubles.length, 1);
    await restore();
    quota.clock.advance(BUCKET_MS);
    assert.equal(await takeAll(node), 74);
    assert.deepEqual(await quota.leased(), [1, 20, 5, 74]);
    quota.clock.advance(WINDOW_MS - BUCKET_MS);
    assert.equal(await takeAll(node), 1 + 20);
  });

  test('credit that is older than the window is forgotten', async () => {
    const quota = quotaOf(server, 'old-credit', 100);
    const node = quota.start();
    const restore = await breakQuotas(server);
    assert.equal(await takeAll(node), 25);
    quota.clock.advance(WINDOW_MS + BUCKET_MS);
    assert.equal(await takeAll(node), 25);
    await restore();
    quota.clock.advance(WINDOW_MS + BUCKET_MS);
    assert.equal(await takeAll(node), 100);
  });

  test('a lease deletes the parts that have left the window', async () => {
    const quota = quotaOf(server, 'long-used', 100_000);
    const node = quota.start();
    for (let part = 0; part < 80; part++) {
      await takeTimes(node, 1);
      quota.clock.advance(BUCKET_MS);
    }
    assert.equal((await quota.leased()).length, 31);
  });

  test('rows in which nothing counts any more are deleted an hour later', async () => {
    const quota = quotaOf(server, 'purged', 5);
    await takeTimes(quota.start(), 1);
    const runs: ((signal: AbortSignal) => Promise<void>)[] = [];
    const work: Pick<PeriodicWork, 'add' | 'deletionClock'> = {
      deletionClock: quota.clock,
      add: (job) => void runs.push((signal) => job.run(signal)),
    };
    addHousekeeping(work as PeriodicWork, server.app.database);
    const isThere = async (): Promise<boolean> => {
      for (const run of runs) await run(new AbortController().signal);
      const row = await server.app.database.read
        .selectFrom('quota_windows')
        .select('name')
        .where('name', '=', 'purged')
        .executeTakeFirst();
      return row !== undefined;
    };
    quota.clock.advance(WINDOW_MS + BUCKET_MS + 3_600_000);
    assert.equal(await isThere(), true);
    quota.clock.advance(1);
    assert.equal(await isThere(), false);
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
    const leased = await quota.leased();
    return leased.reduce((sum, units) => sum + units, 0) > 520;
  });
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
  await eventually('a slice is leased', async () => {
    quota.clock.advance(1_000);
    return (await node.take()).isTaken;
  });
  await takeAll(node);
  const leased = await leasedUnits(direct, 'silent');
  assert.ok(leased.reduce((sum, units) => sum + units, 0) <= 40);
});
