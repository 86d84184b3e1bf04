import assert from 'node:assert/strict';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createDataDir } from '../support/server.ts';

async function openEmpty(t: TestContext) {
  const dataDir = await createDataDir();
  const file = path.join(dataDir, 'test.db');
  const dialect = openSqlite(file);
  t.after(async () => {
    await dialect.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await sql`create table steps (step text)`.execute(dialect.writer);
  const read = async (): Promise<string[]> => {
    const { rows } = await sql<{ step: string }>`select step from steps`.execute(dialect.reader);
    return rows.map(({ step }) => step);
  };
  return { file, writer: dialect.writer, read };
}

test('transactions and single statements have the writing connection one after the other', async (t) => {
  const { writer, read } = await openEmpty(t);
  const write = (name: string) =>
    writer.transaction().execute(async (tx) => {
      await sql`insert into steps values (${`${name} begins`})`.execute(tx);
      await nextTurn();
      await sql`insert into steps values (${`${name} ends`})`.execute(tx);
    });
  await Promise.all([
    write('first'),
    sql`insert into steps values ('alone')`.execute(writer),
    write('second'),
  ]);
  assert.deepEqual(await read(), [
    'first begins',
    'first ends',
    'alone',
    'second begins',
    'second ends',
  ]);
});

test('a transaction that failed gives the connection back', async (t) => {
  const { writer, read } = await openEmpty(t);
  const failing = writer.transaction().execute(async (tx) => {
    await sql`insert into steps values ('undone')`.execute(tx);
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  await sql`insert into steps values ('done')`.execute(writer);
  assert.deepEqual(await read(), ['done']);
});

test('nothing runs in a transaction that is over', async (t) => {
  const { writer, read } = await openEmpty(t);
  const tx = await writer.transaction().execute(async (running) => running);
  await assert.rejects(async () => sql`insert into steps values ('late')`.execute(tx), /commit/);
  assert.deepEqual(await read(), []);
});

// Only Linux tells of locks.
const options = { skip: process.platform !== 'linux' };

test('to open a database again leaves it locked for other programs', options, async (t) => {
  const { file } = await openEmpty(t);
  // With this lock gone, older programs of SQLite take the write-ahead log away when they leave.
  const isLocked = async (): Promise<boolean> => {
    const { ino } = await stat(file);
    const locks = await readFile('/proc/locks', 'utf8');
    return locks
      .split('\n')
      .some((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
  };
  assert.ok(await isLocked());
  const again = openSqlite(file);
  assert.ok(await isLocked());
  await again.close();
  assert.ok(await isLocked());
});
