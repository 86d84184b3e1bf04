import assert from 'node:assert/strict';
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { bootServer, createDataDir } from '../support/server.ts';

describe('the data directory', () => {
  test('belongs to one server at a time', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const first = await bootServer('sqlite', { dataDir });
    await assert.rejects(
      bootServer('sqlite', { dataDir, besides: first }),
      new Error(`the data directory ${dataDir} is in use by another latchkey process`),
    );
    // The refused one has not disturbed the other.
    assert.equal((await first.call('GET', `${first.account}/tokens`)).status, 200);
    await first.stop();
    const second = await bootServer('sqlite', { dataDir, besides: first });
    assert.equal((await second.call('GET', `${first.account}/tokens`)).status, 200);
    await second.stop();
  });

  test('is made when it is missing, for its owner alone', async (t) => {
    const parent = await createDataDir();
    t.after(() => rm(parent, { recursive: true }));
    const dataDir = path.join(parent, 'deep', 'below');
    const server = await bootServer('sqlite', { dataDir });
    t.after(() => server.stop());
    assert.equal((await stat(dataDir)).mode & 0o077, 0);
    assert.ok((await readdir(dataDir)).includes('latchkey.db'));
  });

  test('that others may read has databases which they may not', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    await chmod(dataDir, 0o755);
    // As an older version may have left it.
    await writeFile(path.join(dataDir, 'latchkey.db'), '', { mode: 0o644 });
    const server = await bootServer('sqlite', { dataDir });
    t.after(() => server.stop());
    const names = (await readdir(dataDir)).filter((name) => name.includes('.db'));
    assert.ok(names.includes('latchkey.db') && names.includes('latchkey.db-wal'));
    for (const name of names) {
      const { mode } = await stat(path.join(dataDir, name));
      assert.equal((mode & 0o777).toString(8), '600', name);
    }
  });

  test('that is a file stops the start', async (t) => {
    const parent = await createDataDir();
    t.after(() => rm(parent, { recursive: true }));
    const dataDir = path.join(parent, 'file');
    await writeFile(dataDir, '');
    await assert.rejects(bootServer('sqlite', { dataDir }), /is not a directory/);
  });

  test('with a damaged database stops the start, and frees the directory', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true }));
    const file = path.join(dataDir, 'latchkey.db');
    await writeFile(file, 'x'.repeat(10_000));
    await assert.rejects(bootServer('sqlite', { dataDir }), /not a database/);
    await rm(file);
    const server = await bootServer('sqlite', { dataDir });
    await server.stop();
  });
});
