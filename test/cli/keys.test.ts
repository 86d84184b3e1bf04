import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { fetchKeys } from '../support/id-tokens.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { bootServer, createDataDir } from '../support/server.ts';

const NO_KEY = 'There is no signing key yet. The first use creates one.\n';
const SQLITE = 'A running server with SQLite applies this within one minute.\n';
const LINE =
  /^(\S{43})  (ES256|RS256)  (signing|next|retired) +created \S+Z  signs from \S+Z(?:  published until \S+Z)?$/;

onEachDatabase((database) => {
  test('keys list and keys rotate, while the server runs', async (t) => {
    const clock = new ManualClock(Date.now());
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await bootServer(database, {
      clock,
      dataDir,
      // Both share the key in the data directory.
      settings: { MASTER_KEY: '' },
    });
    t.after(() => server.stop());
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const run = async (...commandLine: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCli(['keys', ...commandLine], { env });
      assert.deepEqual([code, stderr], [0, '']);
      return stdout;
    };
    const list = async () =>
      (await run('list'))
        .trimEnd()
        .split('\n')
        .map((line) => {
          const [, kid, alg, state] = LINE.exec(line) ?? assert.fail(line);
          return { kid, alg, state };
        });
    const kidsOf = (keys: { kid?: string | undefined }[]) => keys.map(({ kid = '' }) => kid).sort();
    const served = async () => kidsOf((await fetchKeys(server)).keys);

    assert.equal(await run('list'), NO_KEY);
    assert.equal(await run('rotate'), NO_KEY);
    const old = await served();
    assert.deepEqual((await list()).map(({ alg, state }) => `${alg} ${state}`).sort(), [
      'ES256 signing',
      'RS256 signing',
    ]);

    const rotated = await run('rotate');
    assert.match(rotated, /^(?:[ER]S256 \S{43} signs from \S+Z\.\n){2}/);
    assert.ok(rotated.endsWith(SQLITE));
    const states = await list();
    assert.deepEqual(states.map(({ alg, state }) => `${alg} ${state}`).sort(), [
      'ES256 next',
      'ES256 signing',
      'RS256 next',
      'RS256 signing',
    ]);
    if (database === 'sqlite') clock.advance(60_000);
    await eventually('the server shows the next keys', async () => (await served()).length === 4);
    assert.deepEqual(await served(), kidsOf(states));
    const signing = states.filter(({ state }) => state === 'signing');
    assert.deepEqual(kidsOf(signing), old);

    const urgent = await run('rotate', '--now');
    assert.match(
      urgent,
      /^(?:[ER]S256 \S{43} signs now, and older keys are no longer published\.\n){2}/,
    );
    const left = await list();
    assert.deepEqual(left.map(({ alg, state }) => `${alg} ${state}`).sort(), [
      'ES256 signing',
      'RS256 signing',
    ]);
    if (database === 'sqlite') clock.advance(60_000);
    await eventually(
      'the server shows the new keys alone',
      async () => (await served()).join() === kidsOf(left).join(),
    );
    assert.equal(
      left.some(({ kid = '' }) => kidsOf(states).includes(kid)),
      false,
    );
  });
});

test('without a database, with the wrong master key, or with too much: one line, exit 1', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const refuse = async (commandLine: string[], env = {}): Promise<string> => {
    const { code, stdout, stderr } = await runCli(commandLine, {
      env: { LATCHKEY_DATA_DIR: dataDir, ...env },
    });
    assert.deepEqual([code, stdout], [1, ''], commandLine.join(' '));
    assert.match(stderr, /^latchkey: [^\n]+\n$/);
    return stderr;
  };
  await refuse(['keys', 'rotate']);
  await refuse(['keys', 'list']);
  await refuse(['keys']);
  assert.match(await refuse(['keys', 'list', '--now']), /--now requires keys rotate/);
  assert.match(await refuse(['migrate', '--now']), /--now requires keys rotate/);

  const server = await bootServer('sqlite', { dataDir });
  await fetchKeys(server);
  await server.stop();
  const env = { LATCHKEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
  assert.match(await refuse(['keys', 'rotate'], env), /LATCHKEY_MASTER_KEY/);
  const { stdout } = await runCli(['keys', 'list'], { env: { LATCHKEY_DATA_DIR: dataDir } });
  assert.equal(stdout.split('\n').length, 3);
});
