import assert from 'node:assert/strict';
import { type TestContext, describe, test } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { acquireLease } from '../../src/storage/leases.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';

const LEASE_MS = 30_000;
const PROLONG_INTERVAL_MS = 10_000;
const STOP_TIMEOUT_MS = 4_000;
const HOUR_MS = 3_600_000;

/** Nodes on one database and one clock. */
function createNodes(t: TestContext, database: Database, count: number) {
  const clock = new ManualClock();
  const troubles: string[] = [];
  const nodes = Array.from({ length: count }, () => {
    const work = new PeriodicWork(database, clock, (error, message) => {
      troubles.push(`${message}: ${error.message}`);
    });
    t.after(() => work.stop());
    return work;
  });
  return { clock, troubles, nodes };
}

/** A round that lasts until it is let go. */
class OpenRound {
  begun = 0;
  signal: AbortSignal | undefined;
  readonly #begun = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  readonly hasBegun = this.#begun.promise;
  readonly end = this.#end.resolve;
  readonly fail = this.#end.reject;

  readonly run = (signal: AbortSignal): Promise<void> => {
    this.begun++;
    this.signal = signal;
    this.#begun.resolve();
    return this.#end.promise;
  };
}

async function leaseEnd(database: Database, name: string): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('leases')
    .select('expires_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.expires_at;
}

onEachDatabase((kind) => {
  test('several nodes never do one job at the same time', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, troubles } = createNodes(t, database, 4);
    let running = 0;
    let rounds = 0;
    for (const node of nodes) {
      node.add({
        name: 'job',
        intervalMs: HOUR_MS,
        async run() {
          running++;
          rounds++;
          assert.equal(running, 1);
          await database.ping();
          running--;
        },
      });
    }
    for (let i = 0; i < 5; i++) {
      const ran = await Promise.all(
        nodes.flatMap((node) => [node.runNow('job'), node.runNow('job')]),
      );
      assert.ok(ran.includes(true));
    }
    assert.ok(rounds >= 5, `${rounds} rounds`);
    assert.deepEqual(troubles, []);
  });

  test('a round keeps the others out until it ends, and other jobs go on', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, clock } = createNodes(t, database, 2);
    const [first, second] = nodes as [PeriodicWork, PeriodicWork];
    const open = new OpenRound();
    const other = new OpenRound();
    first.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    second.add({ name: 'job', intervalMs: HOUR_MS, run: other.run });
    second.add({ name: 'another', intervalMs: HOUR_MS, run: () => Promise.resolve() });
    const ran = first.runNow('job');
    await open.hasBegun;
    clock.advance(LEASE_MS - 1);
    assert.equal(await second.runNow('job'), false);
    assert.equal(await second.runNow('another'), true);
    open.end();
    assert.equal(await ran, true);
    other.end();
    assert.equal(await second.runNow('job'), true);
    assert.equal(other.begun, 1);
  });

  test('another node takes over from one that crashed when its lease is over', async (t) => {
    // It no longer prolongs.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, clock } = createNodes(t, database, 2);
    const [crashed, heir] = nodes as [PeriodicWork, PeriodicWork];
    const open = new OpenRound();
    crashed.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    heir.add({ name: 'job', intervalMs: HOUR_MS, run: () => Promise.resolve() });
    const ran = crashed.runNow('job');
    await open.hasBegun;
    clock.advance(LEASE_MS - 1);
    assert.equal(await heir.runNow('job'), false);
    clock.advance(1);
    assert.equal(await heir.runNow('job'), true);
    open.end();
    await ran;
  });

  test('a long round keeps its lease', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, clock, troubles } = createNodes(t, database, 2);
    const [first, second] = nodes as [PeriodicWork, PeriodicWork];
    const open = new OpenRound();
    first.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    second.add({ name: 'job', intervalMs: HOUR_MS, run: () => Promise.resolve() });
    const ran = first.runNow('job');
    await open.hasBegun;
    for (let i = 0; i < 5; i++) {
      clock.advance(LEASE_MS - 1);
      t.mock.timers.tick(PROLONG_INTERVAL_MS);
      const expected = clock.now() + LEASE_MS;
      await eventually('the lease is prolonged', async () => {
        return (await leaseEnd(database, 'job')) === expected;
      });
      assert.equal(await second.runNow('job'), false);
    }
    assert.equal(open.signal?.aborted, false);
    open.end();
    await ran;
    assert.equal(await leaseEnd(database, 'job'), undefined);
    assert.equal(await second.runNow('job'), true);
    assert.deepEqual(troubles, []);
  });

  test('a round that lost its lease is told so, and leaves the lease alone', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, clock, troubles } = createNodes(t, database, 1);
    const [slow] = nodes as [PeriodicWork];
    const open = new OpenRound();
    slow.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    const ran = slow.runNow('job');
    await open.hasBegun;
    clock.advance(LEASE_MS);
    assert.equal(await acquireLease(database, clock, 'job', 'another', LEASE_MS), true);
    t.mock.timers.tick(PROLONG_INTERVAL_MS);
    await eventually('the round is told', () => Promise.resolve(open.signal?.aborted === true));
    open.fail(open.signal?.reason);
    await ran;
    assert.deepEqual(troubles, [
      'the periodic job "job" failed; retrying later: another node has taken the lease',
    ]);
    assert.equal(await leaseEnd(database, 'job'), clock.now() + LEASE_MS);
  });

  test('an error is reported, and the next round runs, on whichever node', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, troubles } = createNodes(t, database, 2);
    let rounds = 0;
    for (const node of nodes) {
      node.add({
        name: 'job',
        intervalMs: HOUR_MS,
        run: () => (++rounds < 3 ? Promise.reject(new Error(`no ${rounds}`)) : Promise.resolve()),
      });
    }
    const [first, second] = nodes as [PeriodicWork, PeriodicWork];
    await first.runNow('job');
    await second.runNow('job');
    await first.runNow('job');
    assert.equal(rounds, 3);
    assert.deepEqual(troubles, [
      'the periodic job "job" failed; retrying later: no 1',
      'the periodic job "job" failed; retrying later: no 2',
    ]);
  });

  test('a database that is gone is reported, and nothing runs without the lease', async (t) => {
    const opened = await openMigratedDatabase(t, kind);
    const { nodes, troubles } = createNodes(t, opened.database, 1);
    const [node] = nodes as [PeriodicWork];
    const open = new OpenRound();
    node.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    await opened.database.transaction((tx) => tx.schema.dropTable('leases').execute());
    await node.runNow('job');
    assert.equal(open.begun, 0);
    assert.match(troubles.join(), /^the periodic job "job" failed; retrying later: [^,]*$/);
  });

  test('a job of every node holds no lease, and still runs once at a time on each', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, troubles } = createNodes(t, database, 2);
    const [first, second] = nodes as [PeriodicWork, PeriodicWork];
    const open = new OpenRound();
    let rounds = 0;
    first.add({ name: 'job', intervalMs: HOUR_MS, onEveryNode: true, run: open.run });
    second.add({
      name: 'job',
      intervalMs: HOUR_MS,
      onEveryNode: true,
      run: async () => void rounds++,
    });
    const ran = first.runNow('job');
    await open.hasBegun;
    assert.equal(await leaseEnd(database, 'job'), undefined);
    const next = first.runNow('job');
    assert.equal(await second.runNow('job'), true);
    assert.equal(rounds, 1);
    assert.equal(open.begun, 1);
    open.end();
    assert.deepEqual(await Promise.all([ran, next]), [true, true]);
    assert.equal(open.begun, 2);
    assert.deepEqual(troubles, []);
  });

  test('stop waits for what runs, tells it, and lets nothing begin', async (t) => {
    const { database } = await openMigratedDatabase(t, kind);
    const { nodes, troubles } = createNodes(t, database, 1);
    const [node] = nodes as [PeriodicWork];
    const open = new OpenRound();
    node.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    const ran = node.runNow('job');
    const next = node.runNow('job');
    await open.hasBegun;
    let stopped = false;
    const stopping = node.stop().then(() => {
      stopped = true;
    });
    assert.equal(open.signal?.aborted, true);
    await database.ping();
    assert.equal(stopped, false);
    open.fail(open.signal?.reason);
    await stopping;
    assert.equal(await leaseEnd(database, 'job'), undefined);
    assert.deepEqual([await ran, await next, await node.runNow('job')], [true, false, false]);
    assert.equal(open.begun, 1);
    assert.deepEqual(troubles, []);
  });
});

describe('rounds on one node', () => {
  test('begin with the start, and again in their interval', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { database } = await openMigratedDatabase(t, 'sqlite');
    const { nodes } = createNodes(t, database, 1);
    const [node] = nodes as [PeriodicWork];
    let rounds = 0;
    node.add({
      name: 'job',
      intervalMs: HOUR_MS,
      run() {
        rounds++;
        return Promise.resolve();
      },
    });
    node.start();
    for (const expected of [1, 2, 3]) {
      await eventually('the round has ended', async () => {
        return rounds === expected && (await leaseEnd(database, 'job')) === undefined;
      });
      t.mock.timers.tick(HOUR_MS - 1);
      assert.equal(rounds, expected);
      t.mock.timers.tick(1);
    }
    await node.stop();
    const before = rounds;
    t.mock.timers.tick(10 * HOUR_MS);
    assert.equal(rounds, before);
  });

  test('that are asked for during one begin after it, as one', async (t) => {
    const { database } = await openMigratedDatabase(t, 'sqlite');
    const { nodes } = createNodes(t, database, 1);
    const [node] = nodes as [PeriodicWork];
    const open = new OpenRound();
    node.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    const first = node.runNow('job');
    // In the very moment between the two.
    const between = first.then(() => node.runNow('job'));
    const later = [node.runNow('job'), node.runNow('job'), node.runNow('job')];
    await open.hasBegun;
    assert.equal(open.begun, 1);
    open.end();
    await Promise.all([between, ...later]);
    assert.equal(open.begun, 2);
    await node.runNow('job');
    assert.equal(open.begun, 3);
  });

  test('that do not end keep nobody waiting for ever when the node stops', async (t) => {
    const { database } = await openMigratedDatabase(t, 'sqlite');
    const { nodes, troubles } = createNodes(t, database, 1);
    const [node] = nodes as [PeriodicWork];
    const open = new OpenRound();
    node.add({ name: 'job', intervalMs: HOUR_MS, run: open.run });
    const ran = node.runNow('job');
    await open.hasBegun;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stopping = node.stop();
    t.mock.timers.tick(STOP_TIMEOUT_MS);
    await stopping;
    t.mock.timers.reset();
    open.end();
    await ran;
    assert.deepEqual(troubles, [
      `the periodic job "job" did not stop in time: still running after ${STOP_TIMEOUT_MS} ms`,
    ]);
  });

  test('need a name of their own and an interval that a timer can wait', async (t) => {
    const { database } = await openMigratedDatabase(t, 'sqlite');
    const { nodes } = createNodes(t, database, 1);
    const [node] = nodes as [PeriodicWork];
    const run = (): Promise<void> => Promise.resolve();
    node.add({ name: 'job', intervalMs: 2 ** 31 - 1, run });
    assert.throws(() => node.add({ name: 'job', intervalMs: HOUR_MS, run }), /duplicate job "job"/);
    assert.throws(() => node.add({ name: 'b', intervalMs: 2 ** 31, run }), RangeError);
    assert.throws(() => node.runNow('unknown'), /unknown job "unknown"/);
  });
});
