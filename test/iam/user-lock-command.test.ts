import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createPerson, createUserToken, signInAs } from '../support/people.ts';
import { bootServer, createDataDir } from '../support/server.ts';

onEachDatabase((database) => {
  test('user lock and user unlock, while the server runs', async (t) => {
    const clock = new ManualClock();
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await bootServer(database, { clock, dataDir });
    t.after(() => server.stop());
    const { userId, email } = await createPerson(server);
    const session = await signInAs(server, userId, clock);
    const { value: token } = await createUserToken(server, session, ['user-details.read']);
    const status = async () => (await server.call('GET', '/user', { token })).status;
    assert.equal(await status(), 200);
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const delay = 'A running server with SQLite applies this within one minute.';
    for (const [action, said, again, expected] of [
      ['lock', `User locked. ${delay}\n`, 'The user was already locked.\n', 401],
      ['unlock', `User unlocked. ${delay}\n`, 'The user was not locked.\n', 200],
    ] as const) {
      const { code, stdout, stderr } = await runCli(['user', action, email], { env });
      assert.deepEqual([code, stdout, stderr], [0, said, '']);
      if (database === 'sqlite') clock.advance(60_000);
      await eventually('the server knows', async () => (await status()) === expected);
      // What it says then does not depend on the database.
      if (database === 'postgres') continue;
      const repeated = await runCli(['user', action, email], { env });
      assert.deepEqual([repeated.code, repeated.stdout], [0, again]);
    }
  });
});

test('without an address, with one that nobody has, or with too much: one line, exit 1', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await bootServer('sqlite', { dataDir });
  t.after(() => server.stop());
  const env = { LATCHKEY_DATA_DIR: dataDir };
  for (const action of ['lock', 'unlock']) {
    for (const rest of [[], ['nobody@example.com'], ['a@example.com', 'more']]) {
      const { code, stdout, stderr } = await runCli(['user', action, ...rest], { env });
      assert.deepEqual([code, stdout], [1, ''], rest.join(' '));
      assert.match(stderr, /^latchkey: [^\n]+\n$/);
    }
  }
});
