import { listLogLimits } from '../../src/gateway-admin/snapshot.ts';
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { addLogUpkeep } from '../../src/request-log/log-retention.ts';
import { dropOldPartition } from '../../src/request-log/writer/partitions.ts';
import { PeriodicWork } from '../../src/storage/periodic-work.ts';
import type { Db } from '../../src/storage/schema.ts';
import { type TestDatabase, onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';
import { assertSound, readStoredLogs } from '../support/stored-logs.ts';
import { logRecord, openLogStore } from './log-records.ts';
import { ACCOUNT_ID, idsOf, openTestLogs } from './log-store-set-up.ts';

const DAY_MS = 86_400_000;
/** Noon, so far ahead that no day of it has a partition. */
const NOON_MS = Date.UTC(2040, 0, 1, 12);

interface Retention {
  server: TestServer;
  clock: ManualClock;
  /** Calls the gateway; answers the id of the log. */
  call: () => Promise<string>;
  /** Newest first. */
  list: () => Promise<string[]>;
  /** A round of the work that deletes what is too old. */
  round: () => Promise<void>;
  storedRows: () => Promise<number>;
}

async function boot(t: TestContext, database: TestDatabase, days: number): Promise<Retention> {
  const clock = new ManualClock(NOON_MS);
  const dataDir = await createDataDir();
  const settings = { LOG_RETENTION_DAYS: String(days) };
  const server = await bootServer(database, { clock, dataDir, settings });
  const logStore = openLogStore(server, dataDir, clock);
  const { database: main } = server.app;
  const work = new PeriodicWork(main, clock, (error) => assert.fail(error));
  addLogUpkeep({ database: main, clock, work, logStore, logRetentionDays: days, listLogLimits });
  t.after(async () => {
    await work.stop();
    await logStore.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const where = { dataDir, postgresUrl: server.postgresUrl };
  return {
    server,
    clock,
    async call() {
      const url = `${server.account}/ai/v1/chat/completions`;
      const { headers, status } = await server.call('POST', url, {
        body: { model: 'local/echo', messages: [{ role: 'user', content: 'x' }] },
      });
      assert.equal(status, 200);
      return headers.get('cf-aig-log-id') ?? assert.fail('it is logged');
    },
    async list() {
      const url = `${server.account}/ai-gateway/gateways/default/logs`;
      const { json } = await server.call('GET', url);
      assert.equal(json.result_info.total_count, json.result.length);
      return json.result.map(({ id }: { id: string }) => id);
    },
    round: () => eventually('a round', () => work.runNow('gateway-logs')),
    storedRows: () =>
      readStoredLogs(where, async (stored) => {
        await assertSound(stored).catch((error: unknown) => {
          // The sums stay when rows go.
          if (!/(minutes|hours|days)/.test(String(error))) throw error;
        });
        const rows = await stored.db.selectFrom('gateway_log_entries').select('id').execute();
        return rows.length;
      }),
  };
}

onEachDatabase((database) => {
  test('logs that are too old are hidden at once, and deleted by and by', async (t) => {
    const { clock, call, list, round, storedRows } = await boot(t, database, 2);
    const old = await call();
    clock.advance(DAY_MS);
    const young = await call();
    clock.advance(DAY_MS);
    assert.deepEqual(await list(), [young, old]);
    clock.advance(1);
    assert.deepEqual(await list(), [young]);
    assert.equal(await storedRows(), 2);
    await round();
    // PostgreSQL drops whole days.
    assert.equal(await storedRows(), database === 'sqlite' ? 1 : 2);
    clock.advance(DAY_MS / 2);
    await round();
    assert.equal(await storedRows(), 1);
    assert.deepEqual(await list(), [young]);
    clock.advance(10 * DAY_MS);
    assert.deepEqual(await list(), []);
    await round();
    assert.equal(await storedRows(), 0);
    const again = await call();
    assert.deepEqual(await list(), [again]);
  });

  test('0 keeps them for ever', async (t) => {
    const { clock, call, list, round, storedRows } = await boot(t, database, 0);
    const old = await call();
    clock.advance(10_000 * DAY_MS);
    await round();
    assert.deepEqual(await list(), [old]);
    assert.equal(await storedRows(), 1);
  });

  test('more than one transaction of several gateways, and none that is younger', async (t) => {
    const logs = await openTestLogs(t, database);
    const records = Array.from({ length: 1_300 }, (_, index) =>
      logRecord(ACCOUNT_ID, `g${index % 2}`, NOON_MS - (index % 2) * DAY_MS, {
        row: { metadata: index % 10 === 0 ? '{"a":1}' : null },
      }),
    );
    const young = [0, 1].map((n) => logRecord(ACCOUNT_ID, `g${n}`, NOON_MS + DAY_MS));
    await logs.store.insert(records.slice(0, 700));
    await logs.store.insert([...records.slice(700), ...young]);
    while (await logs.store.purgeOlder(NOON_MS + DAY_MS / 2));
    assert.deepEqual(await logs.ids('g0'), idsOf(young.slice(0, 1)));
    assert.deepEqual(await logs.ids('g1'), idsOf(young.slice(1)));
    assert.equal(await logs.count('g0'), 1);
    const tables = logs.openTables().reader;
    for (const table of ['gateway_log_contexts', 'gateway_log_gateways'] as const) {
      const counts = await tables.selectFrom(table).select('log_count').execute();
      assert.deepEqual(
        counts.map((row) => row.log_count),
        [1, 1],
      );
    }
    const metadata = await tables.selectFrom('gateway_log_metadata').selectAll().execute();
    assert.deepEqual(metadata, []);
  });
});

async function partitionsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname ~ '^gateway_log_(entries|bodies|metadata)_([0-9]+|before)$' order by 1
  `.execute(db);
  return rows.map(({ name }) => name.replace('gateway_log_', ''));
}

const allOf = (...days: string[]): string[] =>
  ['bodies', 'entries', 'metadata'].flatMap((table) => days.map((day) => `${table}_${day}`));

test('partitions are made ahead and on demand, by many nodes at once, and dropped', async (t) => {
  const logs = await openTestLogs(t, 'postgres');
  const tables = logs.openTables();
  assert.deepEqual(await partitionsOf(tables.reader), allOf('before'));
  const nodes = Array.from({ length: 4 }, () => logs.openAnother());
  const records = nodes.map((_, index) =>
    logRecord(ACCOUNT_ID, 'main', NOON_MS + 4 * DAY_MS + index),
  );
  await Promise.all(
    nodes.flatMap((node, index) => [
      node.prepare(NOON_MS),
      node.insert(records.slice(index, index + 1)),
    ]),
  );
  const ahead = ['20391231', '20400101', '20400102', '20400103', '20400104', '20400105'];
  assert.deepEqual(await partitionsOf(tables.reader), allOf(...ahead, 'before'));
  assert.deepEqual(await logs.ids('main'), idsOf(records));

  await logs.store.insert([logRecord(ACCOUNT_ID, 'main', NOON_MS)]);
  const midnightMs = Date.UTC(2040, 0, 2);
  const drop = async (beforeMs: number): Promise<void> => {
    while (await logs.store.purgeOlder(beforeMs));
  };
  await drop(midnightMs - 1);
  assert.deepEqual(await partitionsOf(tables.reader), allOf(...ahead.slice(1)));
  assert.equal(await logs.count('main'), 5);
  await drop(midnightMs);
  assert.deepEqual(await partitionsOf(tables.reader), allOf(...ahead.slice(2)));
  assert.equal(await logs.count('main'), 4);
});

test('a partition whose dropping was interrupted is dropped later, and its rows uncounted', async (t) => {
  const logs = await openTestLogs(t, 'postgres');
  const tables = logs.openTables();
  await logs.store.insert([
    logRecord(ACCOUNT_ID, 'main', NOON_MS),
    logRecord(ACCOUNT_ID, 'main', NOON_MS + DAY_MS),
  ]);
  for (const table of ['metadata', 'bodies', 'entries']) {
    await sql`
      alter table ${sql.table(`gateway_log_${table}`)}
      detach partition ${sql.table(`gateway_log_${table}_20400101`)}`.execute(tables.writer);
  }
  // Not old enough by itself: what is in no table any more goes in any case.
  assert.equal(await dropOldPartition(tables, 0), false);
  assert.deepEqual(await partitionsOf(tables.reader), allOf('20400102', 'before'));
  assert.equal(await logs.count('main'), 1);
  assert.equal((await logs.ids('main')).length, 1);
});

/** How far the dropping of a day came: in the order in which it is done. */
const INTERRUPTED = [['metadata'], ['metadata', 'bodies'], ['metadata', 'bodies', 'entries']];

for (const detached of INTERRUPTED) {
  test(`after the ${detached.join(', ')} of a day were detached, rows of that day find a place`, async (t) => {
    const logs = await openTestLogs(t, 'postgres');
    const tables = logs.openTables();
    const dayAfter = logRecord(ACCOUNT_ID, 'main', NOON_MS + DAY_MS);
    await logs.store.insert([logRecord(ACCOUNT_ID, 'main', NOON_MS), dayAfter]);
    const interrupt = async (): Promise<void> => {
      for (const table of detached) {
        await sql`
          alter table ${sql.table(`gateway_log_${table}`)}
          detach partition ${sql.table(`gateway_log_${table}_20400101`)}`.execute(tables.writer);
      }
    };
    await interrupt();
    const late = logRecord(ACCOUNT_ID, 'main', NOON_MS, { row: { metadata: '{"a":1}' } });
    await logs.store.insert([late]);
    assert.deepEqual(await logs.ids('main'), idsOf([late, dayAfter]));
    assert.equal(await logs.count('main'), 2);
    await interrupt();
    await logs.store.prepare(NOON_MS + 20 * DAY_MS);
    assert.deepEqual(await logs.ids('main'), idsOf([dayAfter]));
    assert.equal(await logs.count('main'), 1);
    const left = await partitionsOf(tables.reader);
    assert.ok(left.every((name) => !name.endsWith('20400101')));
  });
}

test('nodes that drop a day at the same time uncount its rows once', async (t) => {
  const logs = await openTestLogs(t, 'postgres');
  const nodes = Array.from({ length: 3 }, () => logs.openAnother());
  const young = logRecord(ACCOUNT_ID, 'main', NOON_MS + DAY_MS);
  await logs.store.insert([
    ...Array.from({ length: 5 }, () => logRecord(ACCOUNT_ID, 'main', NOON_MS)),
    young,
  ]);
  const tables = logs.openTables();
  for (const table of ['metadata', 'bodies', 'entries']) {
    await sql`
      alter table ${sql.table(`gateway_log_${table}`)}
      detach partition ${sql.table(`gateway_log_${table}_20400101`)}`.execute(tables.writer);
  }
  await Promise.all(nodes.map((node) => node.prepare(NOON_MS + 20 * DAY_MS)));
  assert.equal(await logs.count('main'), 1);
  const counts = await tables.reader
    .selectFrom('gateway_log_gateways')
    .select('log_count')
    .execute();
  assert.deepEqual(
    counts.map((row) => row.log_count),
    [1],
  );
});
