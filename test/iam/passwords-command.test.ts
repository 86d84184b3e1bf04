import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { onEachDatabase } from '../support/databases.ts';
import { bootServer, createDataDir } from '../support/server.ts';

const EMAIL = 'ann@example.com';
const PASSWORD = 'blue kettle on the roof';
const NEW_PASSWORD = 'seven green umbrellas';

onEachDatabase((database) => {
  test('user reset-password prints a link that works, while the server runs', async (t) => {
    const dataDir = await createDataDir();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const settings = { BOOTSTRAP_EMAIL: EMAIL, BOOTSTRAP_PASSWORD: PASSWORD };
    const server = await bootServer(database, { dataDir, settings });
    t.after(() => server.stop());
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      ...(server.postgresUrl === undefined ? {} : { LATCHKEY_DATABASE_URL: server.postgresUrl }),
    };
    const { code, stdout, stderr } = await runCli(['user', 'reset-password', EMAIL], {
      env: { ...env, LATCHKEY_HOST: 'localhost', LATCHKEY_PORT: '9999' },
    });
    assert.equal(code, 0, stderr);
    const [, base, token] = /^(\S+)\/reset-password\?token=(lkot_\w+)\n$/.exec(stdout) ?? [];
    assert.equal(base, 'http://localhost:9999');
    const reset = await server.call('PUT', '/user/password_resets', {
      token: null,
      body: { token, new_password: NEW_PASSWORD },
    });
    assert.equal(reset.status, 200, reset.text);
    const signIn = await server.call('POST', '/user/sessions', {
      token: null,
      body: { email: EMAIL, password: NEW_PASSWORD },
    });
    assert.equal(signIn.status, 200, signIn.text);

    const unknown = await runCli(['user', 'reset-password', 'nobody@example.com'], { env });
    assert.deepEqual(
      [unknown.code, unknown.stdout, unknown.stderr],
      [1, '', 'latchkey: no user has the email address nobody@example.com\n'],
    );
    // What else it says does not depend on the database.
    if (database === 'postgres') return;
    // The link begins with the address that browsers use.
    const browsers = await runCli(['user', 'reset-password', EMAIL.toUpperCase()], {
      env: { ...env, LATCHKEY_BASE_URL: 'https://id.example.com/client/v4' },
    });
    assert.match(browsers.stdout, /^https:\/\/id\.example\.com\/reset-password\?token=lkot_\w+\n$/);
    const everywhere = await runCli(['user', 'reset-password', EMAIL], {
      env: { ...env, LATCHKEY_HOST: '0.0.0.0', LATCHKEY_PORT: '9999' },
    });
    assert.match(everywhere.stdout, /^http:\/\/localhost:9999\/reset-password\?token=lkot_\w+\n$/);
  });
});

test('without a database, an address, or with too much: one line, exit 1', async (t) => {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const env = { LATCHKEY_DATA_DIR: path.join(dataDir, 'none') };
  for (const rest of [[], [EMAIL], [EMAIL, 'more']]) {
    const { code, stdout, stderr } = await runCli(['user', 'reset-password', ...rest], { env });
    assert.deepEqual([code, stdout], [1, ''], rest.join(' '));
    assert.match(stderr, /^latchkey: [^\n]+\n$/);
  }
});
