import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { onEachDatabase } from '../support/databases.ts';
import { placeExample } from '../support/examples.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Upstream, startUpstream } from '../support/upstream-process.ts';

const run = promisify(execFile);

/** The programs that the README shows. */
onEachDatabase((database) => {
  let server: TestServer;
  let openai: Upstream;
  before(async () => {
    openai = await startUpstream('openai-api-upstream.ts');
    server = await bootServer(database, { settings: { PROVIDER_OPENAI_BASE_URL: openai.baseUrl } });
  });
  after(async () => {
    await server.stop();
    await openai.stop();
  });

  async function runExample(file: string, env: Record<string, string> = {}): Promise<string[]> {
    const { stdout } = await run(process.execPath, [placeExample(path.basename(file))], {
      env: {
        ...process.env,
        BASE_URL: server.baseUrl,
        GATEWAY_URL: server.origin,
        ACCOUNT: server.accountId,
        TOKEN: server.token,
        ...env,
      },
    });
    return stdout.trimEnd().split('\n');
  }

  test('examples/cloudflare-client.js', async () => {
    assert.deepEqual(await runExample('examples/cloudflare-client.js'), [
      'the token is active',
      'created the OAuth client "Example app"',
      'found oauth_client "Example app"',
      'deleted it, and its tags with it',
    ]);
  });

  // The others do nothing that depends on the database.
  if (database === 'postgres') return;

  test('examples/openai-chat.js', async () => {
    assert.deepEqual(await runExample('examples/openai-chat.js'), [
      'Hello from the openai package',
      'Hello from the openai package',
    ]);
  });

  test('examples/anthropic-messages.js', async () => {
    assert.deepEqual(await runExample('examples/anthropic-messages.js'), [
      'Hello from the Anthropic package',
      'Hello from the Anthropic package',
    ]);
  });

  test('examples/universal-fallback.js without a key', async () => {
    assert.deepEqual(await runExample('examples/universal-fallback.js', { OPENAI_API_KEY: '' }), [
      'step 1, local:',
      'Hello to whoever answers',
    ]);
  });

  test('examples/universal-fallback.js with a key', async () => {
    const env = { OPENAI_API_KEY: 'sk-mine' };
    assert.deepEqual(await runExample('examples/universal-fallback.js', env), [
      'step 0, openai:',
      'Grüße 🌍',
    ]);
  });
});
