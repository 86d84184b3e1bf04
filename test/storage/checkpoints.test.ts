import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { Checkpoints } from '../../src/storage/checkpoints.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { openSqlite, openSqliteFile } from '../../src/storage/sqlite.ts';
import { eventually } from '../support/eventually.ts';
import { createDataDir } from '../support/server.ts';

const PAGE_BYTES = 4_096;
const BUSY_TIMEOUT_MS = 2_000;
/** A row that has a page for itself. */
const ROW = 'x'.repeat(3_000);

async function openEmpty(t: TestContext) {
  const dataDir = await createDataDir();
  const file = path.join(dataDir, 'test.db');
  const dialect = openSqlite(file, BUSY_TIMEOUT_MS, assert.fail);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await dialect.close();
    isOpen = false;
  };
  t.after(async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await sql`create table pages (text text)`.execute(dialect.writer);
  return { dialect, file, close };
}

async function writePages(dialect: Dialect, pages: number): Promise<void> {
  await dialect.transact(async (tx) => {
    for (let page = 0; page < pages; page++)
      await sql`insert into pages values (${ROW})`.execute(tx);
  });
}

/** Pages of the write-ahead log, and those of them that the database file has. */
function askLog(file: string): { log: number; checkpointed: number } {
  const database = new DatabaseSync(file);
  const row = database.prepare('pragma wal_checkpoint(noop)').get();
  database.close();
  return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) };
}

test('pages go to the database file before SQLite itself would move them', async (t) => {
  const { dialect, file } = await openEmpty(t);
  await writePages(dialect, 900);
  assert.equal(askLog(file).checkpointed, 0);
  await writePages(dialect, 200);
  await eventually('all pages are in the database file', async () => {
    const { log, checkpointed } = askLog(file);
    return log > 1_100 && checkpointed === log;
  });
  // The log begins anew, and so does the count.
  await writePages(dialect, 500);
  assert.equal(askLog(file).checkpointed, 0);
  await writePages(dialect, 600);
  await eventually('they are there again', async () => askLog(file).checkpointed > 1_000);
});

test('the log begins anew however long it is written to', async (t) => {
  const { dialect, file } = await openEmpty(t);
  for (let round = 0; round < 150; round++) await writePages(dialect, 200);
  const pages = statSync(`${file}-wal`).size / PAGE_BYTES;
  // SQLite's own checkpoint comes with 4,000, and has to wait while the thread is at one.
  assert.ok(pages < 15_000, `${pages} pages`);
  const { rows } = await sql<{ count: number }>`select count(*) as count from pages`.execute(
    dialect.reader,
  );
  assert.equal(rows[0]?.count, 30_000);
});

test('a reader that stays holds up the log, and nobody else', async (t) => {
  const { dialect, file } = await openEmpty(t);
  const reader = new DatabaseSync(file, { readOnly: true });
  t.after(() => reader.close());
  reader.exec('begin');
  assert.deepEqual(reader.prepare('select count(*) as count from pages').all(), [
    Object.assign(Object.create(null), { count: 0 }),
  ]);
  for (let round = 0; round < 30; round++) await writePages(dialect, 200);
  assert.ok(askLog(file).log > 6_000);
  assert.equal(reader.prepare('select count(*) as count from pages').get()?.count, 0);
  reader.exec('commit');
  await eventually('the log begins anew', async () => {
    await writePages(dialect, 1);
    return askLog(file).log < 4_000;
  });
});

test('commits made before the thread answers start the next checkpoint', async (t) => {
  const dataDir = await createDataDir();
  const file = path.join(dataDir, 'test.db');
  const database = openSqliteFile(file);
  database.exec('create table pages (text text)');
  const checkpoints = new Checkpoints(database, file, assert.fail);
  t.after(async () => {
    await checkpoints.close();
    database.close();
    await rm(dataDir, { recursive: true });
  });
  const commit = (pages: number): void => {
    database.exec('begin');
    const insert = database.prepare('insert into pages values (?)');
    for (let page = 0; page < pages; page++) insert.run(ROW);
    database.exec('commit');
    checkpoints.afterCommit();
  };
  const isComplete = (): boolean => {
    const { log, checkpointed } = askLog(file);
    return log > 1_000 && checkpointed === log;
  };
  commit(1_100);
  await eventually('the thread works', async () => isComplete());
  commit(1_100);
  // This thread does not receive the answer while it waits.
  for (let round = 0; round < 1_000 && !isComplete(); round++)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  assert.ok(isComplete());
  commit(500);
  assert.equal(askLog(file).checkpointed, 0);
  commit(600);
  await eventually('the pages of the new log are in the file', async () => isComplete());
});

/** Writes as a connection does that has no thread to help it, and answers what was told of that. */
async function writeWithout(t: TestContext, threadFile: string): Promise<string[]> {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const file = path.join(dataDir, 'test.db');
  const database = openSqliteFile(file);
  const told: string[] = [];
  const checkpoints = new Checkpoints(database, threadFile, ({ message }) => told.push(message));
  database.exec('create table pages (text text)');
  for (let pages = 0; pages < 6_000; pages += 500) {
    database.exec('begin');
    for (let page = 0; page < 500; page++)
      database.prepare('insert into pages values (?)').run(ROW);
    database.exec('commit');
    checkpoints.afterCommit();
    await nextTurn();
  }
  await checkpoints.close();
  assert.ok(askLog(file).log < 4_000);
  database.close();
  return told;
}

test('where the thread cannot work SQLite goes on by itself', async (t) => {
  const missing = path.join(await createDataDir(), 'missing.db');
  t.after(() => rm(path.dirname(missing), { recursive: true }));
  assert.deepEqual(await writeWithout(t, missing), ['unable to open database file']);
  assert.equal(existsSync(missing), false);
});

test('where no thread can be had the commit is still one', async (t) => {
  // Nothing that a thread can be given.
  const file = (() => {}) as unknown as string;
  const [told, ...more] = await writeWithout(t, file);
  assert.match(String(told), /could not be cloned/);
  assert.deepEqual(more, []);
});

test('closing ends the thread, and leaves no log', async (t) => {
  const { dialect, file, close } = await openEmpty(t);
  const exits: Promise<unknown>[] = [];
  const onWorker = (worker: Worker): void => void exits.push(once(worker, 'exit'));
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  await writePages(dialect, 1_100);
  await close();
  assert.equal(exits.length, 1);
  await exits[0];
  assert.equal(existsSync(`${file}-wal`), false);
  const database = new DatabaseSync(file, { readOnly: true });
  assert.equal(database.prepare('select count(*) as count from pages').get()?.count, 1_100);
  database.close();
});
