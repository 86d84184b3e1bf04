import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type BackupOptions, runBackup } from '../../src/cli/backup/backup.ts';
import { runRestore } from '../../src/cli/backup/restore.ts';
import { type Settings, readSettings } from '../../src/config/settings.ts';
import { readAuditRows } from '../support/audit-rows.ts';
import { CliProcess, runCli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { firstPerson, signInAs } from '../support/people.ts';
import { type TestServer, bootServer, createDataDir, request } from '../support/server.ts';

const WRITERS = 8;
const POSTGRES = { LATCHKEY_DATABASE_URL: 'postgres://u:hidden@127.0.0.1/x' };

const modeOf = async (file: string): Promise<string> =>
  ((await stat(file)).mode & 0o777).toString(8);

describe('backup and restore', () => {
  let parent: string;
  let dataDir: string;
  let server: TestServer;
  /** Resources whose tags the server has acknowledged. */
  const acknowledged: string[] = [];
  const writing = new AbortController();
  let writers: Promise<unknown>;

  before(async () => {
    parent = await createDataDir();
    dataDir = path.join(parent, 'data');
    server = await bootServer('sqlite', { dataDir, settings: { MASTER_KEY: '' } });
    await signInAs(server, (await firstPerson(server)).userId);
    await server.call('POST', `${server.account}/ai/v1/chat/completions`, {
      body: { model: 'local/echo', messages: [{ role: 'user', content: 'kept' }] },
    });
    await eventually('the log has its row', async () => {
      const { json } = await server.call(
        'GET',
        `${server.account}/ai-gateway/gateways/default/logs`,
      );
      return json.result.length === 1;
    });
    let next = 0;
    const write = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        const id = `r${next++}`;
        const body = { resource_type: 'queue', resource_id: id, tags: { n: id } };
        const { status } = await server.call('PUT', `${server.account}/tags`, { body });
        if (status === 200) acknowledged.push(id);
      }
    };
    writers = Promise.all(Array.from({ length: WRITERS }, write));
  });
  after(async () => {
    writing.abort();
    await writers;
    await server.stop();
    await rm(parent, { recursive: true, force: true });
  });

  const settingsOf = (directory: string, more: Record<string, string> = {}): Settings =>
    readSettings({ LATCHKEY_DATA_DIR: directory, ...more });
  const backup = (options: BackupOptions): Promise<string> =>
    runBackup(settingsOf(dataDir), options);
  const restore = (directory: string, from: string, force = false): Promise<string> =>
    runRestore(settingsOf(directory), { from, force });
  const nameIt = (name: string): string => path.join(parent, name);

  test('a server on what was restored has every write acknowledged before the backup', async (t) => {
    const output = nameIt('whole');
    await eventually('writing is under way', async () => acknowledged.length > 50);
    const expected = [...acknowledged];
    const { code, stdout, stderr } = await runCli(['backup', '--output', output], {
      env: { LATCHKEY_DATA_DIR: dataDir },
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Backed up to \S+:\n  latchkey\.db .* checked\n  gateway-logs\.db /);
    assert.match(
      stdout,
      /The backup does NOT contain the master key\. Keep a copy of the file \S+master\.key /,
    );
    assert.deepEqual((await readdir(output)).sort(), [
      'gateway-logs.db',
      'latchkey.db',
      'manifest.json',
    ]);
    assert.equal(await modeOf(output), '700');
    const { text } = await request('GET', `${server.origin}/metrics`);
    const [, at = ''] = /^latchkey_last_backup_timestamp_seconds (\d+)/m.exec(text) ?? [];
    assert.ok(Math.abs(Number(at) - Date.now() / 1_000) < 600, at);
    for (const name of await readdir(output)) {
      assert.equal(await modeOf(path.join(output, name)), '600', name);
    }
    // Writing went on: there is more now than was copied.
    assert.ok(acknowledged.length > expected.length);
    writing.abort();
    await writers;

    const target = nameIt('restored');
    const withoutKey = await restore(target, output);
    assert.match(withoutKey, /^Restored a backup of latchkey \S+ into /);
    assert.match(
      withoutKey,
      /Ended 1 sessions, invalidated 0 links in emails and discarded 0 queued emails\./,
    );
    assert.match(withoutKey, /Before you start the server, put the master key of this data into /);
    await writeFile(
      path.join(target, 'master.key'),
      await readFile(path.join(dataDir, 'master.key')),
    );
    const second = await bootServer('sqlite', {
      dataDir: target,
      besides: server,
      settings: { MASTER_KEY: '' },
    });
    t.after(() => second.stop());
    const missing: string[] = [];
    for (const id of expected) {
      const { json } = await second.call(
        'GET',
        `${second.account}/tags?resource_type=queue&resource_id=${id}`,
      );
      if (json.result?.tags?.n !== id) missing.push(id);
    }
    assert.deepEqual(missing, []);
    const logs = await second.call('GET', `${second.account}/ai-gateway/gateways/default/logs`);
    assert.equal(logs.json.result.length, 1);
    const last = (await readAuditRows(second.app.database, second.accountId)).at(-1);
    assert.match(last?.action_description ?? '', /^The server was restored from a backup of 2/);
    const verified = await runCli(['audit', 'verify'], { env: { LATCHKEY_DATA_DIR: target } });
    assert.match(verified.stdout, / 0 broken\n$/);
  });

  test('with the master key and without the logs', async () => {
    const output = nameIt('alone');
    const printed = await backup({ output, 'with-master-key': true, 'without-logs': true });
    assert.match(printed, /without the gateways' logs/);
    assert.match(
      printed,
      /The backup contains the master key \(master\.key\)\. Anyone with this backup can read/,
    );
    assert.deepEqual((await readdir(output)).sort(), [
      'latchkey.db',
      'manifest.json',
      'master.key',
    ]);
    const target = nameIt('alone-restored');
    assert.match(await restore(target, output), /Restored the master key from the backup/);
    assert.equal(
      await readFile(path.join(target, 'master.key'), 'utf8'),
      await readFile(path.join(dataDir, 'master.key'), 'utf8'),
    );
    assert.equal(await modeOf(path.join(target, 'master.key')), '600');

    const setting = settingsOf(dataDir, {
      LATCHKEY_MASTER_KEY: 'k'.repeat(64).replaceAll('k', 'a'),
    });
    await assert.rejects(
      runBackup(setting, { output: nameIt('no'), 'with-master-key': true }),
      /^Error: --with-master-key: the setting LATCHKEY_MASTER_KEY contains the key/,
    );
  });

  test('nothing is replaced without --force, and nothing but a backup with it', async () => {
    const output = nameIt('twice');
    await backup({ output });
    const first = await readFile(path.join(output, 'manifest.json'), 'utf8');
    await assert.rejects(backup({ output }), /already exists; --force replaces a backup$/);
    assert.equal(await readFile(path.join(output, 'manifest.json'), 'utf8'), first);
    await backup({ output, force: true });
    assert.notEqual(await readFile(path.join(output, 'manifest.json'), 'utf8'), first);

    const other = nameIt('other');
    await mkdir(other);
    await writeFile(path.join(other, 'letter.txt'), 'dear');
    await assert.rejects(
      backup({ output: other, force: true }),
      /already exists, and is not a backup that could be/,
    );
    assert.deepEqual(await readdir(other), ['letter.txt']);
    await assert.rejects(backup({ output: path.join(parent, 'a/b') }), /directory not found/);
    await assert.rejects(backup({}), /^Error: backup needs --output DIRECTORY$/);
    await assert.rejects(
      runBackup(settingsOf(nameIt('nowhere')), { output: nameIt('none') }),
      /database not found/,
    );
    assert.deepEqual(
      (await readdir(parent)).filter((name) => name.includes('.')),
      [],
    );
  });

  test('a disk that takes no more: nothing of it stays', async () => {
    const output = nameIt('full');
    const child = new CliProcess(['backup', '--output', output], {
      env: { LATCHKEY_DATA_DIR: dataDir },
      // Each file that is written fails at 32 KiB, as on a disk that is full.
      node: '/bin/sh',
      nodeArguments: ['-c', 'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"', process.execPath],
    });
    const { code, stderr } = await child.result();
    assert.equal(code, 1);
    assert.match(stderr, /^latchkey: cannot write the backup to [^\n]+\n$/);
    assert.deepEqual(
      (await readdir(parent)).filter((name) => name.startsWith('full')),
      [],
    );
  });

  test('on PostgreSQL both say what to use instead', async () => {
    const settings = settingsOf(dataDir, POSTGRES);
    const hint = /^Error: the data is in PostgreSQL: back it up .* with pg_dump and pg_restore/;
    await assert.rejects(runBackup(settings, { output: nameIt('p') }), hint);
    await assert.rejects(runRestore(settings, { from: nameIt('p') }), hint);
  });

  describe('restore', () => {
    let source: string;
    before(async () => {
      source = nameIt('source');
      await backup({ output: source, 'with-master-key': true });
    });

    test('not while a server owns the directory', async () => {
      await assert.rejects(
        restore(dataDir, source, true),
        /^Error: the data directory \S+ is in use by another latchkey process$/,
      );
    });

    test('what is there stays without --force, and is moved aside with it', async () => {
      const target = nameIt('taken');
      await restore(target, source);
      await assert.rejects(restore(target, source), /already exists; --force moves it aside$/);
      const former = await readFile(path.join(target, 'latchkey.db'));
      // Left by a process that was killed: it must not be played into the database that comes.
      await writeFile(path.join(target, 'latchkey.db-wal'), 'old');
      const printed = await restore(target, source, true);
      const [, aside = ''] = /The previous data is in (\S+)\. Delete it/.exec(printed) ?? [];
      assert.deepEqual((await readdir(aside)).sort(), [
        'gateway-logs.db',
        'latchkey.db',
        'latchkey.db-wal',
      ]);
      assert.ok((await readFile(path.join(aside, 'latchkey.db'))).equals(former));
      assert.equal((await readdir(target)).includes('latchkey.db-wal'), false);
    });

    test('a restore that was cut off keeps a server from starting', async () => {
      const target = nameIt('cut');
      await mkdir(target);
      await writeFile(path.join(target, 'restore.unfinished'), '');
      const { code, stderr } = await runCli(['migrate'], { env: { LATCHKEY_DATA_DIR: target } });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^latchkey: a restore into \S+ was interrupted: run `latchkey restore` again/,
      );
      assert.deepEqual(await readdir(target).then((names) => names.includes('latchkey.db')), false);
      await assert.rejects(restore(target, source), /--force/);
      await restore(target, source, true);
      assert.equal((await readdir(target)).includes('restore.unfinished'), false);
    });

    test('another master key is told', async () => {
      const target = nameIt('other-key');
      const settings = settingsOf(target, { LATCHKEY_MASTER_KEY: 'ab'.repeat(32) });
      const printed = await runRestore(settings, { from: source });
      assert.match(
        printed,
        /Before you start the server, replace LATCHKEY_MASTER_KEY: it is not the master key of this/,
      );
    });

    test('no backup, a damaged one, one that is not whole, and a newer one', async () => {
      const manifestFile = path.join(source, 'manifest.json');
      const manifest = await readFile(manifestFile, 'utf8');
      const refused = async (expected: RegExp): Promise<void> => {
        const target = nameIt('refused');
        await assert.rejects(restore(target, source), expected);
        assert.deepEqual(
          await readdir(target)
            .catch(() => [])
            .then((names) => names.filter((name) => name !== 'latchkey.lock')),
          [],
        );
      };
      await assert.rejects(
        restore(nameIt('refused'), parent),
        /is not a backup: it has no manifest/,
      );
      for (const [text, expected] of [
        ['{', /cannot read /],
        ['{}', /was not written by `latchkey backup`$/],
        [
          manifest.replace('"latchkey.db"', '"../latchkey.db"'),
          /was not written by `latchkey backup`/,
        ],
        [manifest.replace('"format": 1', '"format": 2'), /made by a newer version of latchkey$/],
        [
          manifest.replace('"0001-iam"', '"0999-from-the-future"'),
          /made by a newer version of latchkey \(it has migration 0999-from-the-future\)/,
        ],
        [
          manifest.replace(/"sha256": "../, '"sha256": "zz'),
          /is damaged: latchkey\.db has changed/,
        ],
      ] as const) {
        await writeFile(manifestFile, text);
        await refused(expected);
      }
      await writeFile(manifestFile, manifest);
      await truncate(path.join(source, 'gateway-logs.db'), 4_096);
      await refused(/is damaged: gateway-logs\.db has changed since the backup$/);
      await rm(path.join(source, 'gateway-logs.db'));
      await refused(/is incomplete: gateway-logs\.db is missing$/);
      await assert.rejects(
        runRestore(settingsOf(nameIt('refused')), {}),
        /^Error: restore needs --from DIRECTORY$/,
      );
    });
  });
});
