import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { classifyError } from '../../src/request-log/threads/log-store-error.ts';
import {
  WorkerClient,
  type WorkerClientOptions,
} from '../../src/request-log/threads/worker-client.ts';
import type { WriteOperations } from '../../src/request-log/writer/write-operations.ts';
import { openSqlite, openSqliteFile } from '../../src/storage/sqlite.ts';
import { eventually } from '../support/eventually.ts';
import { createDataDir } from '../support/server.ts';

interface Thread {
  client: WorkerClient<WriteOperations>;
  file: string;
}

async function openThread(
  t: TestContext,
  options: Pick<WorkerClientOptions, 'timeoutMs' | 'idleMs' | 'closeTimeoutMs'> = {},
): Promise<Thread> {
  const dataDir = await createDataDir();
  const file = path.join(dataDir, 'logs.db');
  const client = new WorkerClient<WriteOperations>({ role: 'write', place: { file }, ...options });
  t.after(async () => {
    await client.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { client, file };
}

test('a thread that answers too late is given up, and replaced', async (t) => {
  const { client, file } = await openThread(t, { timeoutMs: 1_500 });
  await eventually('there is a thread', async () => {
    try {
      await client.call('ping', []);
      return true;
    } catch {
      // To begin takes long on a busy machine.
      return false;
    }
  });
  const other = openSqliteFile(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  await assert.rejects(client.call('purgeOlder', [1]), {
    kind: 'unavailable',
    message: 'no response after 1500 ms',
  });
  other.exec('rollback');
  await eventually('there is another thread', async () => {
    try {
      return !(await client.call('purgeOlder', [1]));
    } catch {
      return false;
    }
  });
});

test('a thread that nobody calls ends, and comes again with the next call', async (t) => {
  const { client } = await openThread(t, { idleMs: 1 });
  assert.equal(client.isRunning, false);
  await client.call('ping', []);
  await eventually('it has ended', () => Promise.resolve(!client.isRunning));
  assert.equal(await client.call('purgeAccount', ['a']), false);
});

test('calls after the end are refused; the end waits for those before it', async (t) => {
  const { client } = await openThread(t);
  const called = client.call('purgeAccount', ['a']);
  await client.close();
  assert.equal(await called, false);
  await assert.rejects(client.call('ping', []), {
    kind: 'unavailable',
    message: 'the log store is closed',
  });
});

test('the end does not wait for ever for a thread that hangs', async (t) => {
  const { client, file } = await openThread(t, { closeTimeoutMs: 1 });
  await client.call('ping', []);
  const other = openSqliteFile(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  const called = assert.rejects(client.call('purgeOlder', [1]), {
    kind: 'unavailable',
    message: 'the log store is closed',
  });
  await client.close();
  await called;
  assert.equal(client.isRunning, false);
});

test('a file that is no database: every call says so, until it is one', async (t) => {
  const { client, file } = await openThread(t);
  await writeFile(file, 'no database at all, but long enough to be taken for one'.repeat(20));
  await assert.rejects(client.call('ping', []), { kind: 'unavailable' });
  await rm(file);
  await eventually('it is a database', async () => {
    try {
      await client.call('ping', []);
      return true;
    } catch {
      return false;
    }
  });
});

test('a full disk is trouble that passes', async (t) => {
  const dataDir = await createDataDir();
  const database = openSqlite(path.join(dataDir, 'logs.db'));
  t.after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await sql`create table filled (bytes blob)`.execute(database.writer);
  await sql`pragma max_page_count = 10`.execute(database.writer);
  const error: unknown = await sql`insert into filled values (zeroblob(100000))`
    .execute(database.writer)
    .catch((reason: unknown) => reason);
  assert.match(String(error), /full/);
  assert.equal(classifyError(error, database).kind, 'unavailable');
});
