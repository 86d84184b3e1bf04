import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, describe, test } from 'node:test';
import { copySqliteTemplate } from '../support/databases.ts';
import { bootServer, createDataDir } from '../support/server.ts';

const DATABASE = 'latchkey.db';

async function createDirectory(t: TestContext): Promise<string> {
  const dataDir = await createDataDir();
  t.after(async () => {
    await chmod(dataDir, 0o700);
    await rm(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** The line that an operator reads when the start fails. */
async function refusal(dataDir: string): Promise<string> {
  const { message } = await bootServer('sqlite', { dataDir }).then(
    async (server) => {
      await server.stop();
      assert.fail('it started');
    },
    (error: Error) => error,
  );
  assert.ok(!message.includes('\n'), message);
  return message;
}

describe('a start refuses, in one line that names the file and what to do', () => {
  const LAUNCHER = path.join(import.meta.dirname, '../../bin/latchkey.js');

  /** Root without the power to pass over modes: for it, too, a read-only directory is read-only. */
  function migrate(dataDir: string): { status: number | null; stderr: string } {
    const command = [process.execPath, LAUNCHER, 'migrate'];
    const bound = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'];
    const [program = '', ...rest] = process.getuid?.() === 0 ? [...bound, ...command] : command;
    const env = { PATH: process.env.PATH, LATCHKEY_DATA_DIR: dataDir };
    return spawnSync(program, rest, { env, encoding: 'utf8' });
  }

  test('a directory that it cannot write to', async (t) => {
    const dataDir = await createDirectory(t);
    await copySqliteTemplate(dataDir);
    await chmod(dataDir, 0o500);
    const { status, stderr } = migrate(dataDir);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^latchkey: cannot use the database \S+latchkey\.lock: .+ \(give the server write access to the file and its directory\)\n$/,
    );
    assert.ok(stderr.includes(dataDir));
  });

  test('a database that it cannot write to', async (t) => {
    const dataDir = await createDirectory(t);
    await copySqliteTemplate(dataDir);
    await chmod(path.join(dataDir, DATABASE), 0o400);
    const { status, stderr } = migrate(dataDir);
    assert.equal(status, 1);
    assert.match(stderr, /^latchkey: cannot use the database \S+latchkey\.db: .+ write access/);
  });

  test('a file that is no database', async (t) => {
    const dataDir = await createDirectory(t);
    const file = path.join(dataDir, DATABASE);
    await writeFile(file, 'x'.repeat(10_000));
    assert.equal(
      await refusal(dataDir),
      `cannot use the database ${file}: file is not a database (restore it from a backup, or move it aside to start with an empty database)`,
    );
  });

  test('a lock file that is none', async (t) => {
    const dataDir = await createDirectory(t);
    await writeFile(path.join(dataDir, 'latchkey.lock'), 'x'.repeat(10_000));
    assert.match(await refusal(dataDir), /latchkey\.lock: file is not a database/);
  });

  test('a database that was cut short', async (t) => {
    const dataDir = await createDirectory(t);
    await copySqliteTemplate(dataDir);
    const file = path.join(dataDir, DATABASE);
    await truncate(file, Math.trunc((await stat(file)).size / 2));
    assert.match(await refusal(dataDir), /latchkey\.db: .*malformed.*restore it/);
  });

  test('a page of the schema that was overwritten', async (t) => {
    const dataDir = await createDirectory(t);
    await copySqliteTemplate(dataDir);
    const handle = await open(path.join(dataDir, DATABASE), 'r+');
    await handle.write(Buffer.alloc(2_000, 0xff), 0, 2_000, 100);
    await handle.close();
    assert.match(await refusal(dataDir), /latchkey\.db: .*malformed.*restore it/);
  });

  test('a database that another process holds while there is something to migrate', async (t) => {
    const dataDir = await createDirectory(t);
    const other = new DatabaseSync(path.join(dataDir, DATABASE));
    t.after(() => other.close());
    other.exec('pragma journal_mode = wal; begin immediate');
    assert.match(await refusal(dataDir), /latchkey\.db: .*locked.*another process/);
  });
});

test('a table that is damaged while the server runs: its callers are told, and no others', async (t) => {
  const dataDir = await createDirectory(t);
  const server = await bootServer('sqlite', { dataDir });
  t.after(() => server.stop());
  const tags = `${server.account}/tags`;
  const body = { resource_type: 'queue', resource_id: 'a', tags: { a: 'b' } };
  assert.equal((await server.call('PUT', tags, { body })).status, 200);
  await damage(path.join(dataDir, DATABASE), 'oauth_clients');
  // After a write no page that is in memory is taken for granted.
  assert.equal((await server.call('PUT', tags, { body })).status, 200);
  const clients = await server.call('GET', `${server.account}/oauth_clients`);
  assert.deepEqual([clients.status, clients.code], [503, 1001], clients.text);
  assert.match(clients.json.errors[0].message, /: storage is damaged$/);
  assert.equal(clients.headers.get('retry-after'), '60');
  assert.equal((await server.call('GET', `${tags}/resources`)).status, 200);
});

/** Overwrites the first pages of a table and of its indexes, beside the server that has it open. */
async function damage(file: string, table: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
  const roots = database
    .prepare('select rootpage from sqlite_schema where tbl_name = ? and rootpage > 0')
    .all(table) as { rootpage: number }[];
  database.close();
  const handle = await open(file, 'r+');
  for (const { rootpage } of roots) {
    await handle.write(Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
  }
  await handle.close();
}
