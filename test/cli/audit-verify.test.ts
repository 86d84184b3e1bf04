import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { appendAuditRows, readAuditRows } from '../support/audit-rows.ts';
import { type CliResult, runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer, createDataDir } from '../support/server.ts';

onEachDatabase((database) => {
  let server: TestServer;
  let dataDir: string;
  let env: Record<string, string>;
  before(async () => {
    dataDir = await createDataDir();
    server = await bootServer(database, { dataDir });
    const { postgresUrl } = server;
    env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: postgresUrl }),
    };
  });
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const verify = (...more: string[]): Promise<CliResult> =>
    runCli(['audit', 'verify', ...more], { env });

  const headOf = async (chainId: string): Promise<string> =>
    (await readAuditRows(server.app.database, chainId)).at(-1)?.hash ?? '';

  test('beside the running server: a line for each chain, and the total', async () => {
    await server.createToken(['tags.read']);
    const { code, stdout, stderr } = await verify();
    assert.equal(
      stdout,
      `account ${server.accountId}  2 rows  head ${await headOf(server.accountId)}\n` +
        '1 chains, 2 rows, 0 broken\n',
    );
    assert.deepEqual([code, stderr], [0, '']);
    // The server still writes.
    await server.createToken(['tags.read']);
  });

  test('a broken chain is named, and the exit code is 1', async () => {
    const broken = `${'0'.repeat(31)}1`;
    const sound = `${'0'.repeat(31)}2`;
    for (const chainId of [broken, sound]) {
      await appendAuditRows(server.app.database, chainId, [{}, {}, {}]);
    }
    await server.app.database.transaction(async (tx) => {
      await tx
        .updateTable('audit_logs')
        .set({ action_description: 'Nothing happened' })
        .where('chain_id', '=', broken)
        .where('seq', '=', 2)
        .execute();
    });
    const all = await verify();
    assert.equal(all.code, 1);
    const [first, second] = all.stdout.split('\n');
    assert.equal(first, `account ${broken}  1 rows  BROKEN: row 2 was modified`);
    assert.equal(second, `account ${sound}  3 rows  head ${await headOf(sound)}`);
    assert.match(all.stdout, /\n3 chains, \d+ rows, 1 broken\n$/);
    const one = await verify('--account', sound);
    assert.equal(one.code, 0);
    assert.match(one.stdout, /^account 0+2 {2}3 rows .*\n1 chains, 3 rows, 0 broken\n$/);
    assert.equal((await verify('--account', broken)).code, 1);
  });

  test('an account that is none: one line, exit 1', async () => {
    const { code, stdout, stderr } = await verify('--account', createId());
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^latchkey: no audit log exists for [0-9a-f]{32}\n$/);
  });
});

test('an account id that is none: one line, exit 1', async () => {
  const { code, stdout, stderr } = await runCli(['audit', 'verify', '--account', 'x']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^latchkey: --account must be an account id: 32 hex digits\n$/);
});

test('--account goes with no other command', async () => {
  const { code, stdout, stderr } = await runCli(['token', 'generate', '--account', createId()]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^latchkey: --account requires audit verify[^\n]*\n$/);
});

test('where there is no database none is made', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const file = path.join(dataDir, 'latchkey.db');
  for (let i = 0; i < 2; i++) {
    const { code, stderr } = await runCli(['audit', 'verify'], {
      env: { LATCHKEY_DATA_DIR: dataDir },
    });
    assert.deepEqual([code, stderr], [1, `latchkey: database not found: ${file}\n`]);
  }
});

test('after the server has stopped', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const server = await bootServer('sqlite', { dataDir });
  await server.stop();
  const { code, stdout, stderr } = await runCli(['audit', 'verify'], {
    env: { LATCHKEY_DATA_DIR: dataDir },
  });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /\n1 chains, 1 rows, 0 broken\n$/);
});
