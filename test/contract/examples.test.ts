import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';

const run = promisify(execFile);

/** The programs that the README shows. */
onEachDatabase((database) => {
  let server: TestServer;
  before(async () => {
    server = await bootServer(database);
  });
  after(() => server.stop());

  async function runExample(file: string): Promise<string[]> {
    const { stdout } = await run(process.execPath, [file], {
      env: {
        ...process.env,
        BASE_URL: server.baseUrl,
        ACCOUNT: server.accountId,
        TOKEN: server.token,
      },
    });
    return stdout.trimEnd().split('\n');
  }

  test('examples/openai-chat.js', async () => {
    assert.deepEqual(await runExample('examples/openai-chat.js'), [
      'Hello from the openai package',
      'Hello from the openai package',
    ]);
  });

  test('examples/cloudflare-client.js', async () => {
    assert.deepEqual(await runExample('examples/cloudflare-client.js'), [
      'the token is active',
      'created the OAuth client "Example app"',
      'found oauth_client "Example app"',
      'deleted it, and its tags with it',
    ]);
  });
});
