import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { loadMasterKey } from '../../src/config/master-key.ts';
import { SettingError, readSettings } from '../../src/config/settings.ts';
import { MasterKey } from '../../src/lib/sealing.ts';
import { CliProcess, runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { openMigratedDatabase } from '../support/migrated-database.ts';
import { createDataDir } from '../support/server.ts';

const newKey = (): MasterKey => new MasterKey(randomBytes(32));

async function keyFiles(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => name.startsWith('master.key'));
}

onEachDatabase((kind) => {
  test('the first start makes a key for its owner alone, and every other finds it', async (t) => {
    const opened = await openMigratedDatabase(t, kind);
    const settings = { MASTER_KEY: undefined, DATA_DIR: opened.dataDir };
    const key = await loadMasterKey(settings, opened.database);
    assert.deepEqual(await keyFiles(opened.dataDir), ['master.key']);
    const file = path.join(opened.dataDir, 'master.key');
    assert.equal(((await stat(file)).mode & 0o777).toString(8), '600');
    const bytes = Buffer.from(await readFile(file, 'utf8'), 'base64');
    assert.equal(new MasterKey(bytes).fingerprint(), key.fingerprint());

    const again = await loadMasterKey(settings, await opened.reopen());
    assert.equal(again.fingerprint(), key.fingerprint());
  });

  test('the key in the setting is used, and none is made', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    const settings = { MASTER_KEY: newKey(), DATA_DIR: dataDir };
    assert.equal(await loadMasterKey(settings, database), settings.MASTER_KEY);
    assert.equal(await loadMasterKey(settings, database), settings.MASTER_KEY);
    assert.deepEqual(await keyFiles(dataDir), []);
  });

  test('the setting may name the key of the file', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    await loadMasterKey({ MASTER_KEY: undefined, DATA_DIR: dataDir }, database);
    const text = await readFile(path.join(dataDir, 'master.key'), 'utf8');
    const { MASTER_KEY } = readSettings({ LATCHKEY_MASTER_KEY: text });
    const key = await loadMasterKey({ MASTER_KEY, DATA_DIR: dataDir }, database);
    assert.equal(key, MASTER_KEY);
  });

  test('another key than the one of the database stops the start', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    await loadMasterKey({ MASTER_KEY: newKey(), DATA_DIR: dataDir }, database);
    const other = newKey();
    await assert.rejects(
      loadMasterKey({ MASTER_KEY: other, DATA_DIR: dataDir }, database),
      (error: Error) => {
        assert.ok(error instanceof SettingError);
        assert.match(error.message, /^LATCHKEY_MASTER_KEY is not the key of this [^\n]*$/);
        assert.match(error.message, /all nodes on one PostgreSQL need the same key/);
        return true;
      },
    );
    const file = path.join(dataDir, 'master.key');
    await writeFile(file, randomBytes(32).toString('hex'));
    await assert.rejects(loadMasterKey({ MASTER_KEY: undefined, DATA_DIR: dataDir }, database), {
      message: new RegExp(`^LATCHKEY_MASTER_KEY, taken from ${file}, is not the key `),
    });
  });

  test('a key that is gone is not replaced by a new one', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    const settings = { MASTER_KEY: undefined, DATA_DIR: dataDir };
    await loadMasterKey(settings, database);
    await rm(path.join(dataDir, 'master.key'));
    await assert.rejects(loadMasterKey(settings, database), (error: Error) => {
      assert.ok(error instanceof SettingError);
      assert.match(
        error.message,
        /^LATCHKEY_MASTER_KEY is not set and \S+master\.key does not exist: /,
      );
      return true;
    });
    assert.deepEqual(await keyFiles(dataDir), []);
  });

  test('nodes that start together in one directory agree', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    const settings = { MASTER_KEY: undefined, DATA_DIR: dataDir };
    const keys = await Promise.all(
      Array.from({ length: 6 }, () => loadMasterKey(settings, database)),
    );
    assert.equal(new Set(keys.map((key) => key.fingerprint())).size, 1);
    assert.deepEqual(await keyFiles(dataDir), ['master.key']);
  });

  test('of nodes that start together with keys of their own, those with one key start', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () =>
        loadMasterKey({ MASTER_KEY: newKey(), DATA_DIR: dataDir }, database),
      ),
    );
    const started = results.filter(({ status }) => status === 'fulfilled');
    assert.equal(started.length, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof SettingError);
    }
  });

  test('nothing of the key is in the database', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, kind);
    const bytes = randomBytes(32);
    const key = new MasterKey(bytes);
    await loadMasterKey({ MASTER_KEY: key, DATA_DIR: dataDir }, database);
    const rows = await database.read.selectFrom('installation').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ name: 'master_key', value: key.fingerprint() }],
    );
    assert.equal(bytes.toString('hex').includes(key.fingerprint()), false);
  });
});

describe('a key file', () => {
  for (const [what, content] of [
    ['empty', ''],
    ['cut short', randomBytes(32).toString('base64').slice(0, 20)],
    ['not text', Buffer.alloc(32, 0xff)],
  ] as const) {
    test(`that is ${what} stops the start, named, and is left as it is`, async (t) => {
      const { database, dataDir } = await openMigratedDatabase(t, 'sqlite');
      const file = path.join(dataDir, 'master.key');
      await writeFile(file, content);
      await assert.rejects(
        loadMasterKey({ MASTER_KEY: undefined, DATA_DIR: dataDir }, database),
        new SettingError(
          `the key file ${file} does not contain 32 bytes in base64: restore it, or set LATCHKEY_MASTER_KEY`,
        ),
      );
      assert.deepEqual(await readFile(file), Buffer.from(content));
      // The setting says what the file cannot.
      await loadMasterKey({ MASTER_KEY: newKey(), DATA_DIR: dataDir }, database);
    });
  }

  test('that cannot be made stops the start with what to do', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, 'sqlite');
    const missing = path.join(dataDir, 'missing');
    await assert.rejects(loadMasterKey({ MASTER_KEY: undefined, DATA_DIR: missing }, database), {
      message:
        /^LATCHKEY_MASTER_KEY is not set, and creating \S+missing\/master\.key failed: ENOENT/,
    });
  });

  test('that cannot be read stops the start', async (t) => {
    const { database, dataDir } = await openMigratedDatabase(t, 'sqlite');
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    await assert.rejects(
      loadMasterKey({ MASTER_KEY: undefined, DATA_DIR: file }, database),
      /ENOTDIR/,
    );
  });
});

describe('latchkey serve', () => {
  test('makes a key, tells nobody, and starts with no other', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const env = { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_PORT: '0', LATCHKEY_LOG_LEVEL: 'trace' };
    const server = new CliProcess(['serve'], { env });
    t.after(() => server.kill('SIGKILL'));
    await server.seen(/first start/);
    server.kill('SIGTERM');
    const { code, stdout, stderr } = await server.result();
    assert.equal(code, 0, stderr);
    const key = (await readFile(path.join(dataDir, 'master.key'), 'utf8')).trim();
    assert.equal((stdout + stderr).includes(key), false);

    const LATCHKEY_MASTER_KEY = randomBytes(32).toString('base64');
    const refused = await runCli(['serve'], { env: { ...env, LATCHKEY_MASTER_KEY } });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^latchkey: LATCHKEY_MASTER_KEY is not the key [^\n]+\n$/);
    assert.equal((refused.stdout + refused.stderr).includes(LATCHKEY_MASTER_KEY), false);

    await rm(path.join(dataDir, 'master.key'));
    const lost = await runCli(['serve'], { env });
    assert.equal(lost.code, 1);
    assert.match(lost.stderr, /^latchkey: LATCHKEY_MASTER_KEY is not set and [^\n]+\n$/);
  });
});
