import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Diagnosis, diagnose, formatDiagnosis } from '../../src/cli/doctor/doctor.ts';
import { readSettings } from '../../src/config/settings.ts';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let dataDir: string;
  let env: Record<string, string>;
  before(async () => {
    dataDir = await createDataDir();
    server = await bootServer(database, { dataDir, settings: { MASTER_KEY: '' } });
    env = {
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_PORT: new URL(server.origin).port,
      LATCHKEY_BASE_URL: server.baseUrl,
      // Nobody answers there, which is found out at once.
      LATCHKEY_DNS_SERVERS: '127.0.0.1:9',
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
  });
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const examine = (more: Record<string, string> = {}): Promise<Diagnosis> =>
    diagnose(() => Promise.resolve(readSettings({ ...env, ...more })));
  /** What is not well, by the name of the check. */
  const troubles = ({ findings }: Diagnosis): string[] =>
    findings
      // How quick the database is, depends on what else the machine does.
      .filter(({ verdict, message }) => verdict !== 'ok' && !/responds in/.test(message))
      .map(({ check, verdict, message, advice = '' }) => {
        assert.notEqual(advice, '');
        return `${check} ${verdict}: ${message}`;
      });
  const DEAD_RESOLVER = 'DNS warning: 127.0.0.1:9 does not respond';

  test('an installation that is well, beside its server', async () => {
    const { code, stdout, stderr } = await runCli(['doctor', '--json'], { env });
    const diagnosis = JSON.parse(stdout) as Diagnosis;
    assert.deepEqual(troubles(diagnosis), [DEAD_RESOLVER]);
    assert.deepEqual([code, stderr, diagnosis.verdict], [0, '', 'warning']);
    const text = formatDiagnosis(diagnosis);
    assert.match(text, /^ok {7}settings {10}valid$/m);
    assert.match(
      text,
      /^ok {7}code {14}the next start uses the (?:bundle|sources; `npm run build` .*)$/m,
    );
    assert.match(text, /^ok {7}master key {8}belongs to this data/m);
    assert.match(text, /^ok {7}server {12}running and ready$/m);
    assert.match(text, /^ok {7}schema {12}up to date$/m);
    assert.match(text, /\n\n0 faults, \d warnings\n$/);
    assert.equal(text.includes(server.token), false);
  });

  test('settings that are wrong are a finding too, and the exit code is 1', async () => {
    const { code, stdout } = await runCli(['doctor'], {
      env: { ...env, LATCHKEY_PORT: 'many' },
    });
    assert.equal(code, 1);
    assert.match(stdout, /^FAULT +settings +LATCHKEY_PORT must be /);
    assert.match(stdout, /\n1 faults, 0 warnings\n$/);
  });

  test('another master key, or none', async () => {
    const wrong = await examine({ LATCHKEY_MASTER_KEY: 'ab'.repeat(32) });
    assert.equal(wrong.verdict, 'fault');
    assert.ok(troubles(wrong).includes('master key fault: does not belong to this data'));
    const file = path.join(dataDir, 'master.key');
    const key = await readFile(file);
    await rm(file);
    assert.ok(troubles(await examine()).includes('master key fault: is missing'));
    await writeFile(file, key, { mode: 0o640 });
    await chmod(file, 0o640);
    assert.ok(troubles(await examine()).includes(`data directory warning: ${file} has mode 640`));
    await chmod(file, 0o600);
  });

  test('an audit log that was cut, and a schema of a newer version', async () => {
    const { database: opened } = server.app;
    await opened.transaction(async (tx) => {
      await tx.insertInto('audit_heads').values({ chain_id: 'cut', seq: 7, hash: 'x' }).execute();
      await tx
        .insertInto('schema_migrations')
        .values({ name: '0999-future', applied_at: 1 })
        .execute();
    });
    const found = troubles(await examine());
    await opened.transaction(async (tx) => {
      await tx.deleteFrom('audit_heads').where('chain_id', '=', 'cut').execute();
      await tx.deleteFrom('schema_migrations').where('name', '=', '0999-future').execute();
    });
    assert.deepEqual(found, [
      'schema fault: created by a newer version (0999-future)',
      'audit log fault: the latest row is not the recorded one: cut',
      DEAD_RESOLVER,
    ]);
  });

  test('what it is to reach, and what is to reach it', async (t) => {
    const silent = createServer();
    await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening));
    t.after(() => silent.close());
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const diagnosis = await examine({
      LATCHKEY_PORT: '9',
      LATCHKEY_BASE_URL: 'https://127.0.0.1:9/client/v4',
      LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${port}`,
      LATCHKEY_MAIL_FROM: 'latchkey@example.com',
      LATCHKEY_PROVIDER_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      LATCHKEY_PROVIDER_OPENAY_API_KEY: 'key',
    });
    const found = troubles(diagnosis).map((line) =>
      line.replace(/: (?:connect ECONN|bad port).*| is ign.*/, ''),
    );
    assert.deepEqual(found, [
      'settings warning: LATCHKEY_PROVIDER_OPENAY_…',
      'server warning: no server responds at http://127.0.0.1:9/readyz',
      'public address warning: without LATCHKEY_TRUST_PROXY, all clients behind a proxy share its address',
      'public address fault: https://127.0.0.1:9 is unreachable',
      DEAD_RESOLVER,
      `others fault: mail server 127.0.0.1:${port} is unusable: ETIMEDOUT`,
      'others fault: provider openai 127.0.0.1:9 is unreachable',
    ]);
    const plain = await examine({ LATCHKEY_BASE_URL: 'http://latchkey.invalid/client/v4' });
    const shown = troubles(plain).join('\n');
    assert.match(shown, /public address fault: http:\/\/latchkey\.invalid is not HTTPS: tokens/);
  });

  test('a database that cannot be reached is told, and the rest is looked at', async () => {
    if (database === 'postgres') {
      const gone = await examine({ LATCHKEY_DATABASE_URL: 'postgres://u:hidden@127.0.0.1:9/x' });
      assert.equal(JSON.stringify(gone).includes('hidden'), false);
      const found = troubles(gone).join('\n');
      assert.match(found, /^database fault: connect ECONNREFUSED 127\.0\.0\.1:9$/m);
      const several = await examine({
        LATCHKEY_DATABASE_URL: 'postgres://u:hidden@127.0.0.1:9,localhost:9/x',
      });
      assert.match(troubles(several).join('\n'), /others warning: database host localhost:9 is/);
      return;
    }
    const nowhere = await examine({ LATCHKEY_DATA_DIR: path.join(dataDir, 'none') });
    const found = troubles(nowhere);
    assert.ok(found.includes(`data directory warning: ${dataDir}/none does not exist`));
    assert.ok(found.includes('database warning: not created yet'));
    const odd = path.join(dataDir, 'odd');
    await mkdir(path.join(odd, 'latchkey.db'), { recursive: true });
    const unreadable = troubles(await examine({ LATCHKEY_DATA_DIR: odd }));
    assert.ok(unreadable.includes('database fault: disk I/O error'));
    assert.ok(unreadable.includes(DEAD_RESOLVER));
  });
});
