import assert from 'node:assert/strict';
import { type TestContext, after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { LogRecord } from '../../src/request-log/record.ts';
import { LogStoreError } from '../../src/request-log/threads/log-store-error.ts';
import type { QueuedBatch } from '../../src/request-log/writer/log-queue.ts';
import type { LogStore } from '../../src/request-log/log-store.ts';
import {
  type LogCounters,
  LogWriter,
  type LogWriterOptions,
} from '../../src/request-log/writer/log-writer.ts';
import { openSqliteFile } from '../../src/storage/sqlite.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { logRecord } from './log-records.ts';
import { type TestLogs, idsOf, openTestLogs, startTestLogs } from './log-store-set-up.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const MIB = 1024 * 1024;
// Maximum age of rows that a crash loses.
const CRASH_LOSS_MS = 100;
const PATIENCE_MS = 60_000;

interface TestWriter {
  writer: LogWriter;
  /** The messages of the reports. */
  reports: string[];
  counted: (name: keyof LogCounters) => Promise<number>;
}

function openWriter(t: TestContext, logs: TestLogs, options: LogWriterOptions = {}): TestWriter {
  const counter = (name: string) => new Counter({ name, help: name, registers: [] });
  const counters = {
    dropped: counter('dropped'),
    bodiesDropped: counter('bodies_dropped'),
    leftOut: counter('left_out'),
  };
  const reports: string[] = [];
  const report = (_error: Error, message: string) => reports.push(message);
  const writer = new LogWriter(logs.store, counters, report, options);
  // A writer that keeps retrying would prevent the end of the run.
  t.after(() => writer.stop());
  return {
    writer,
    reports,
    counted: async (name) => (await counters[name].get()).values[0]?.value ?? 0,
  };
}

const records = ({ accountId }: TestLogs, count: number): LogRecord[] =>
  Array.from({ length: count }, (_, index) => logRecord(accountId, 'main', NOW_MS + index));

/** A record that every database refuses: a required column has no value. */
function refusedRecord({ accountId }: TestLogs, atMs: number): LogRecord {
  return logRecord(accountId, 'main', atMs, {
    row: { status_code: null as unknown as number },
  });
}

/** Blocks all writers. */
async function lockEntries(t: TestContext, logs: TestLogs): Promise<() => Promise<void>> {
  const locked = await logs.openTables().writer.startTransaction().execute();
  await sql`lock table gateway_log_entries in access exclusive mode`.execute(locked);
  const release = async (): Promise<void> => {
    if (!locked.isRolledBack) await locked.rollback().execute();
  };
  t.after(release);
  return release;
}

/** A record that fails in the code of the server: a database changes its text. */
function stumblingRecord({ accountId }: TestLogs, atMs: number): LogRecord {
  return logRecord(accountId, 'main\ud800', atMs);
}

/** Has batches written, as many as it takes. */
async function flushUntil(writer: LogWriter, isOver: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if (await isOver()) return;
    await writer.flush();
  }
  assert.fail('it is not over');
}

onEachDatabase((database) => {
  let logs: TestLogs;
  before(async () => {
    logs = await startTestLogs(database);
  });
  beforeEach(() => logs.beginAnew());
  after(() => logs.close());

  test('a row that fails for no known reason is found and dropped, and keeps out no other', async (t) => {
    const { writer, reports, counted } = openWriter(t, logs);
    const good = records(logs, 20);
    // The first and the last ones have others on one side only.
    for (const at of [0, 13, 20]) {
      const all = good.toSpliced(at, 0, stumblingRecord(logs, NOW_MS));
      for (const record of all) writer.push({ ...record, row: { ...record.row } });
      const before = await counted('dropped');
      await flushUntil(writer, async () => (await counted('dropped')) > before);
      await writer.flush();
      assert.deepEqual(await logs.ids('main'), idsOf(good));
      while (await logs.store.purgeGateway(logs.accountId, 'main', NOW_MS + 1_000));
    }
    assert.equal(await counted('dropped'), 3);
    const lost = reports.filter((report) => report === 'gateway log row rejected and lost');
    assert.equal(lost.length, 3);
    assert.equal(writer.failure, undefined);
  });

  test('one that is alone is dropped after many attempts', async (t) => {
    const { writer, counted } = openWriter(t, logs);
    writer.push(stumblingRecord(logs, NOW_MS));
    for (let attempt = 1; attempt < 120; attempt++) await writer.flush();
    assert.equal(await counted('dropped'), 0);
    assert.notEqual(writer.failure, undefined);
    await flushUntil(writer, async () => (await counted('dropped')) === 1);
    assert.equal(writer.failure, undefined);
  });

  test('no row is lost to trouble that passes, though nobody knows it', async (t) => {
    const { writer, counted } = openWriter(t, logs);
    await logs.store.insert([]);
    const tables = logs.openTables().writer;
    await tables.schema.alterTable('gateway_log_entries').renameTo('elsewhere').execute();
    const all = records(logs, 20);
    for (const record of all) writer.push(record);
    for (let attempt = 0; attempt < 200; attempt++) await writer.flush();
    assert.notEqual(writer.failure, undefined);
    await tables.schema.alterTable('elsewhere').renameTo('gateway_log_entries').execute();
    await flushUntil(writer, async () => (await logs.count('main')) === all.length);
    assert.equal(await counted('dropped'), 0);
    await eventually('all is well', () => Promise.resolve(writer.failure === undefined));
    await logs.assertSound();
  });

  test('a row that the database refuses is dropped, reported once, and keeps out no other', async (t) => {
    const { writer, reports, counted } = openWriter(t, logs);
    const good = records(logs, 40);
    const all = good
      .toSpliced(13, 0, refusedRecord(logs, NOW_MS))
      .toSpliced(30, 0, refusedRecord(logs, NOW_MS));
    for (const record of all) writer.push(record);
    await writer.flush();
    assert.deepEqual(await logs.ids('main'), idsOf(good));
    assert.equal(await counted('dropped'), 2);
    assert.deepEqual(reports, [
      'gateway log row rejected and lost',
      'gateway log row rejected and lost',
    ]);
    assert.equal(writer.failure, undefined);
    assert.equal(await logs.requests(), 40);
    await writer.stop();
    await logs.assertSound();
  });

  test('a row that is pushed after the end is counted as lost', async (t) => {
    const { writer, counted } = openWriter(t, logs);
    const [first = assert.fail(), late = assert.fail()] = records(logs, 2);
    writer.push(first);
    await writer.stop();
    writer.push(late);
    assert.equal(await counted('dropped'), 1);
    assert.deepEqual(await logs.ids('main'), [first.row.id]);
  });

  test('rows of a gateway that is full are counted', async (t) => {
    const { writer, counted } = openWriter(t, logs);
    const limit = { maxRows: 2, strategy: 'STOP_INSERTING' } as const;
    for (const record of records(logs, 5)) writer.push({ ...record, limit });
    await writer.stop();
    assert.equal(await counted('leftOut'), 3);
    assert.equal(await counted('dropped'), 0);
  });
});

test('every good row is written once and every bad row dropped, in any order of failures', async (t) => {
  const logs = await openTestLogs(t, 'sqlite');
  await logs.store.insert([]);
  type Outcome = 'written' | 'reply lost' | 'unavailable' | 'failed';
  // More failures of unknown kind in succession are taken for those of a bad row.
  const maxFailed = 4;
  const outcomes = fc
    .array(fc.constantFrom<Outcome>('written', 'reply lost', 'unavailable', 'failed'), {
      maxLength: 20,
    })
    .filter((all) => all.filter((outcome) => outcome === 'failed').length <= maxFailed);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 12 }), outcomes, async (good, planned) => {
      await logs.beginAnew();
      const left = [...planned];
      const failing = {
        ...logs.store,
        async insert(batch: QueuedBatch) {
          const outcome = left.shift() ?? 'written';
          if (outcome === 'unavailable') throw new LogStoreError('unavailable', 'the disk is full');
          if (outcome === 'failed') throw new LogStoreError('failed', 'a failure of unknown kind');
          const result = await logs.store.insert(batch);
          if (outcome === 'reply lost') throw new LogStoreError('unavailable', 'the thread ended');
          return result;
        },
      };
      const { writer, counted } = openWriter(t, { ...logs, store: failing });
      const all = good.map((isGood, index) =>
        isGood
          ? logRecord(logs.accountId, 'main', NOW_MS + index)
          : refusedRecord(logs, NOW_MS + index),
      );
      const requestsBefore = await logs.requests();
      for (const record of all) writer.push(record);
      await flushUntil(writer, () => Promise.resolve(writer.queuedRows === 0));
      const kept = all.filter((_record, index) => good[index]);
      assert.deepEqual(await logs.ids('main'), idsOf(kept));
      assert.equal((await logs.requests()) - requestsBefore, kept.length);
      assert.equal(await counted('dropped'), all.length - kept.length);
      await writer.stop();
    }),
    { numRuns: 150 },
  );
});

test('a row is on disk a tenth of a second after it came, however few there are', async (t) => {
  const logs = await openTestLogs(t, 'sqlite');
  const { writer } = openWriter(t, logs);
  await logs.store.insert(records(logs, 1));
  // On a machine with much else to do, only some of them are in time.
  await eventually(
    'one is',
    async () => {
      const startMs = performance.now();
      for (const record of records(logs, 1)) writer.push(record);
      while (writer.queuedRows > 0) await delay(2);
      return performance.now() - startMs < CRASH_LOSS_MS;
    },
    PATIENCE_MS,
  );
});

test('rows that come while a batch is written are gathered for the next one', async (t) => {
  const logs = await openTestLogs(t, 'sqlite');
  let batches = 0;
  // Slow enough that further rows arrive during a batch.
  const slow: LogStore = {
    ...logs.store,
    async insert(batch) {
      batches++;
      await delay(10);
      return logs.store.insert(batch);
    },
  };
  const { writer } = openWriter(t, { ...logs, store: slow });
  const beganAtMs = performance.now();
  while (performance.now() - beganAtMs < 500) {
    for (const record of records(logs, 1)) writer.push(record);
    await delay(2);
  }
  await writer.flush();
  // A batch each 50 ms, and one for the flush.
  assert.ok(batches <= 11, `${batches} batches`);
});

test('a batch that takes too long is told, waited for, and written once', async (t) => {
  const logs = await openTestLogs(t, 'postgres');
  const { writer, reports, counted } = openWriter(t, logs, { slowBatchMs: 1 });
  await logs.store.insert(records(logs, 1));
  const release = await lockEntries(t, logs);
  const [record = assert.fail()] = records(logs, 1);
  writer.push(record);
  await eventually('it is told', async () => {
    await writer.flush();
    return writer.failure?.message === 'no response after 1 ms';
  });
  assert.deepEqual(reports, ['failed to write gateway logs; retrying']);
  await release();
  await eventually('it is written', () => Promise.resolve(writer.failure === undefined));
  assert.equal(await logs.count('main'), 2);
  assert.equal(await counted('dropped'), 0);
  await logs.assertSound();
});

test('the end does not wait for ever for a store that hangs', async (t) => {
  const logs = await openTestLogs(t, 'postgres');
  const { writer, reports, counted } = openWriter(t, logs, { stopTimeoutMs: 1 });
  await logs.store.insert(records(logs, 1));
  const release = await lockEntries(t, logs);
  for (const record of records(logs, 2)) writer.push(record);
  await writer.stop();
  assert.equal(await counted('dropped'), 2);
  assert.deepEqual(reports, ['failed to write gateway logs']);
  await release();
});

test('while the store does not answer, bodies are dropped before rows; then all is written', async (t) => {
  const logs = await openTestLogs(t, 'sqlite');
  const { writer, reports, counted } = openWriter(t, logs);
  await logs.store.insert([]);
  const file = 'file' in logs.place ? logs.place.file : assert.fail();
  const other = openSqliteFile(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  // With its header fields, a little less than an eighth of the limit.
  const body = new Uint8Array(8 * MIB - 1_000);
  const payload = {
    request: body,
    response: [],
    requestSize: body.length,
    responseSize: 0,
    requestHeaders: '{}',
    responseHeaders: '{}',
    secrets: [],
  };
  const all = records(logs, 12).map((record) => ({ ...record, payload }));
  for (const record of all) writer.push(record);
  assert.equal(await counted('bodiesDropped'), 4);
  await eventually('it says so', () => Promise.resolve(writer.failure !== undefined));
  assert.deepEqual(reports, ['failed to write gateway logs; retrying']);
  other.exec('rollback');
  await eventually('all is written', async () => {
    await writer.flush();
    return writer.failure === undefined;
  });
  assert.deepEqual(await logs.ids('main'), idsOf(all));
  const kept = await Promise.all(
    all.map(({ row }) =>
      logs.store.readPayload({
        accountId: logs.accountId,
        gatewayId: 'main',
        id: row.id,
        sinceMs: 0,
      }),
    ),
  );
  assert.deepEqual(
    kept.map((found) => found?.request.body.length),
    all.map((_, index) => (index < 8 ? body.length : undefined)),
  );
  assert.equal(await counted('dropped'), 0);
  await writer.stop();
});
