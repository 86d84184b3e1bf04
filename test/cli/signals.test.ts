import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess, runCli } from '../support/cli.ts';
import {
  AWAIT_RELEASE,
  EVENT_STREAM,
  type ScriptedUpstream,
  delta,
  head,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';
import { createDataDir, request } from '../support/server.ts';

const DEBUGGER_PORT = 9229;

interface Context {
  after(work: () => unknown): void;
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

describe('signals', () => {
  const token = createSecret('lkat_');
  const accountId = createId();
  let upstream: ScriptedUpstream;
  before(async () => {
    upstream = await startScriptedUpstream();
    await upstream.set('waiting', [head(200, EVENT_STREAM) + delta('one'), AWAIT_RELEASE]);
  });
  after(() => upstream.stop());

  async function serve(t: Context) {
    const dataDir = await createDataDir();
    const env = {
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_PORT: '0',
      LATCHKEY_LOG_LEVEL: 'warn',
      LATCHKEY_SHUTDOWN_TIMEOUT_MS: '300',
      LATCHKEY_BOOTSTRAP_ACCOUNT_ID: accountId,
      LATCHKEY_BOOTSTRAP_TOKEN: token,
      LATCHKEY_PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1`,
      LATCHKEY_PROVIDER_OPENAI_API_KEY: 'sk-1',
    };
    const process = new CliProcess(['serve'], { env });
    t.after(async () => {
      process.kill('SIGKILL');
      await process.result();
      await rm(dataDir, { recursive: true });
    });
    const origin = await process.origin();
    await process.seen(/\n\n$/);
    return { process, origin, env };
  }

  for (const signal of ['SIGHUP', 'SIGQUIT', 'SIGTERM'] as const) {
    test(`${signal} ends streams with an error event, keeps their log rows and exits with 0`, async (t) => {
      const { process, origin, env } = await serve(t);
      const response = await fetch(
        `${origin}/client/v4/accounts/${accountId}/ai/v1/chat/completions`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'openai/waiting',
            stream: true,
            messages: [{ role: 'user', content: 'hi' }],
          }),
        },
      );
      assert.equal(response.status, 200);
      process.kill(signal);
      if (signal === 'SIGHUP') process.kill(signal);
      const text = await response.text();
      assert.match(text, /"content":"one"[^]*"error"/);
      assert.equal((await process.result()).code, 0);
      const { stdout } = await runCli(['logs', 'export'], { env });
      assert.equal(stdout.trim().split('\n').length, 1);
      assert.match(stdout, /"model":"waiting"/);
    });
  }

  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
    test(`${signal} has no effect and opens no debugger`, async (t) => {
      const { process, origin } = await serve(t);
      const wasOpen = await accepts(DEBUGGER_PORT);
      process.kill(signal);
      process.kill(signal);
      for (let i = 0; i < 5; i++) {
        assert.equal((await request('GET', `${origin}/healthz`)).status, 200);
      }
      assert.equal(await accepts(DEBUGGER_PORT), wasOpen);
      process.kill('SIGTERM');
      const { code, stderr } = await process.result();
      assert.deepEqual([code, stderr], [0, '']);
    });
  }
});
