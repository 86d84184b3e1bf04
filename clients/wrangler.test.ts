import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createPerson, createUserToken, signInAs } from '../test/support/people.ts';
import { type TestServer, bootServer } from '../test/support/server.ts';
import { installed, runProgram } from './bench.ts';

let server: TestServer;
let home: string;
before(async () => {
  server = await bootServer('sqlite');
  home = await mkdtemp(path.join(tmpdir(), 'latchkey-wrangler-'));
});
after(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/** Runs `wrangler whoami`. */
function whoami(token: string, ...options: string[]): Promise<string> {
  const wrangler = installed('wrangler/bin/wrangler.js');
  return runProgram([process.execPath, wrangler, 'whoami', ...options], {
    cwd: home,
    home,
    env: {
      CI: 'true',
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_API_BASE_URL: server.baseUrl,
      CLOUDFLARE_API_TOKEN: token,
    },
  });
}

test('whoami names the account of the first token', async () => {
  const output = await whoami(server.token);
  assert.match(output, /Account API Token/);
  assert.ok(output.includes(server.accountId), output);
  const json = JSON.parse(await whoami(server.token, '--json'));
  assert.equal(json.loggedIn, true);
  assert.deepEqual(
    json.accounts.map(({ id }: { id: string }) => id),
    [server.accountId],
  );
});

test('whoami works with a token that has one permission', async () => {
  const { value } = await server.createToken(['tags.read']);
  assert.ok((await whoami(value)).includes(server.accountId));
});

test('whoami shows the user of a token', async () => {
  const { userId, email } = await createPerson(server, {
    accountId: server.accountId,
    roles: ['super-administrator'],
  });
  const session = await signInAs(server, userId);
  const { value } = await createUserToken(server, session, [
    'user-details.read',
    'memberships.read',
    'account-settings.read',
  ]);
  const output = await whoami(value);
  assert.ok(output.includes(email), output);
  assert.ok(output.includes(server.accountId), output);
});
