import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/lib/clock.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { acquireLease } from '../../src/storage/leases.ts';
import { CliProcess, runCli } from '../support/cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import { endWithUs } from '../support/own-children.ts';
import { createDataDir, request } from '../support/server.ts';

const LAUNCHER = path.join(import.meta.dirname, '../../bin/latchkey.js');

interface Context {
  after(work: () => unknown): void;
}

async function newEnvironment(t: Context): Promise<Record<string, string>> {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  return { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_PORT: '0', LATCHKEY_LOG_LEVEL: 'warn' };
}

function serve(t: Context, env: Record<string, string>): CliProcess {
  const process = new CliProcess(['serve'], { env });
  t.after(async () => {
    process.kill('SIGKILL');
    await process.result();
  });
  return process;
}

/** Starts a command whose output has no reader. */
function startWithClosedOutput(arguments_: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [LAUNCHER, ...arguments_], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const result = once(child, 'close').then(([code]: unknown[]) => ({ code, stderr }));
  return { child, result };
}

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** No start that is interrupted waits until its own limits, which are a minute here. */
const PROMPT_MS = 20_000;

describe('an interrupted start', () => {
  test('a killed first start on SQLite does not delay the next one', async (t) => {
    const env = await newEnvironment(t);
    const first = serve(t, env);
    await first.seen(/first start/);
    first.kill('SIGKILL');
    await first.result();
    const second = serve(t, env);
    const origin = await second.origin();
    await second.seen(/listening/);
    assert.equal((await request('GET', `${origin}/readyz`)).status, 200);
    // The first one has stored its credentials or not: either way, a user can get in.
    assert.match(second.stdout, /first start|user reset-password admin@localhost/);
  });

  test('a start explains how to get in until someone has', async (t) => {
    const env = await newEnvironment(t);
    const hint = /user reset-password admin@localhost/;
    const first = serve(t, env);
    await first.seen(/listening/);
    const token = /API token +(\S+)/.exec(first.stdout)?.[1] ?? '';
    const accountId = /account id +(\S+)/.exec(first.stdout)?.[1] ?? '';
    assert.doesNotMatch(first.stdout, hint);
    first.kill('SIGTERM');
    await first.result();

    const second = serve(t, env);
    const origin = await second.origin();
    await second.seen(hint);
    assert.match(second.stdout, new RegExp(`data +${env.LATCHKEY_DATA_DIR}\n`));
    const { stdout: link } = await runCli(['user', 'reset-password', 'admin@localhost'], { env });
    assert.match(link, /^http:\S+\n$/);
    const url = `${origin}/client/v4/accounts/${accountId}/tokens/verify`;
    assert.equal((await request('GET', url, { token })).status, 200);
    second.kill('SIGTERM');
    await second.result();

    const third = serve(t, env);
    await third.seen(/listening[^]*\n\n$/);
    assert.doesNotMatch(third.stdout, hint);
  });

  test('a first start without a reader of its output stores nothing', async (t) => {
    const env = await newEnvironment(t);
    const { code, stderr } = await startWithClosedOutput(['serve'], env).result;
    assert.equal(code, 1);
    assert.match(stderr, /^latchkey: cannot show the credentials of the first start[^\n]+\n$/);
    const next = serve(t, env);
    await next.seen(/first start[^]*API token +lkat_[^]*listening/);
  });

  test('with preset credentials, the server works without a reader of its output', async (t) => {
    const port = await findPort();
    const env = {
      ...(await newEnvironment(t)),
      LATCHKEY_BOOTSTRAP_PASSWORD: 'correct horse battery',
      LATCHKEY_BOOTSTRAP_TOKEN: createSecret('lkat_'),
      LATCHKEY_PORT: String(port),
    };
    const { child, result } = startWithClosedOutput(['serve'], env);
    await eventually('it is ready', async () => {
      const found = await request('GET', `http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      return found?.status === 200;
    });
    child.kill('SIGTERM');
    assert.deepEqual(await result, { code: 0, stderr: '' });
  });

  test('commands without a reader of their output end without a stack', async (t) => {
    const env = await newEnvironment(t);
    const server = serve(t, env);
    await server.seen(/listening/);
    for (const command of [['--help'], ['keys', 'list'], ['audit', 'verify'], ['doctor']]) {
      const { code, stderr } = await startWithClosedOutput(command, env).result;
      assert.deepEqual([code, stderr], [0, ''], command.join(' '));
    }
  });

  test('SIGTERM ends a start that waits for another node, which the log names', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const env = { ...(await newEnvironment(t)), LATCHKEY_DATABASE_URL: postgres.url };
    assert.equal((await runCli(['migrate'], { env })).code, 0);
    const database = openDatabase({ databaseUrl: postgres.url, dataDir: tmpdir() }, () => {});
    await acquireLease(database, systemClock, 'bootstrap', 'a-node-that-died', 60_000);
    await database.close();
    const waiting = serve(t, env);
    await waiting.seen(/waiting for another node/);
    const startMs = performance.now();
    waiting.kill('SIGTERM');
    const { code, stderr } = await waiting.result();
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(performance.now() - startMs < PROMPT_MS);
  });

  test('SIGTERM ends a start that waits for a silent database', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const proxy = await FreezableProxy.start(`${postgres.url}?connect_timeout=60`);
    t.after(() => proxy.stop());
    proxy.freeze();
    const env = { ...(await newEnvironment(t)), LATCHKEY_DATABASE_URL: proxy.url };
    const waiting = serve(t, env);
    await eventually('it connects', () => Promise.resolve(proxy.connections > 0));
    const startMs = performance.now();
    waiting.kill('SIGTERM');
    assert.equal((await waiting.result()).code, 0);
    assert.ok(performance.now() - startMs < PROMPT_MS);
  });
});
