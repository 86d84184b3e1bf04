import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess, runCli } from '../support/cli.ts';
import { onEachDatabase, createPostgresDatabase } from '../support/databases.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { createDataDir, request } from '../support/server.ts';

interface Context {
  after(work: () => unknown): void;
}

/** The environment of an installation of its own, which goes with the test. */
async function newEnvironment(
  t: Context,
  database: 'sqlite' | 'postgres' = 'sqlite',
): Promise<Record<string, string>> {
  const dataDir = await createDataDir();
  t.after(() => rm(dataDir, { recursive: true }));
  const env = { LATCHKEY_DATA_DIR: dataDir, LATCHKEY_PORT: '0', LATCHKEY_LOG_LEVEL: 'warn' };
  if (database === 'sqlite') return env;
  const postgres = await createPostgresDatabase();
  t.after(() => postgres.drop());
  return { ...env, LATCHKEY_DATABASE_URL: postgres.url };
}

/** A server process that does not outlive the test. */
function serve(t: Context, env: Record<string, string>): CliProcess {
  const process = new CliProcess(['serve'], { env });
  t.after(async () => {
    process.kill('SIGKILL');
    await process.result();
  });
  return process;
}

async function stopped(process: CliProcess): Promise<void> {
  process.kill('SIGTERM');
  assert.equal((await process.result()).code, 0);
}

onEachDatabase((database) => {
  test('the first start prints the credentials, no other does', async (t) => {
    const env = await newEnvironment(t, database);
    const first = serve(t, env);
    const origin = await first.origin();
    await first.seen(/\n\n$/);
    const field = (name: string) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(first.stdout)?.[1];
    const [accountId, token] = [field('account id') ?? '', field('API token') ?? ''];
    assert.match(accountId, /^[0-9a-f]{32}$/);
    assert.match(token, /^lkat_/);
    assert.equal(field('e-mail'), 'admin@localhost');
    assert.match(field('password') ?? '', /^[0-9A-Za-z]{20}$/);
    assert.equal(field('API'), `${origin}/client/v4`);
    const path = `/client/v4/accounts/${accountId}/tokens/verify`;
    assert.equal((await request('GET', origin + path, { token })).status, 200);
    await stopped(first);

    const second = serve(t, env);
    const secondOrigin = await second.origin();
    await second.seen(/\n\n$/);
    assert.equal(/first start|account id|password|API token|lkat_/.test(second.stdout), false);
    assert.equal((await request('GET', secondOrigin + path, { token })).status, 200);
    await stopped(second);
    assert.equal(first.stderr + second.stderr, '');
  });
});

describe('first start', () => {
  test('what was preset works and is not printed', async (t) => {
    const token = createSecret('lkat_');
    const env = {
      ...(await newEnvironment(t)),
      LATCHKEY_BOOTSTRAP_ACCOUNT_ID: createId(),
      LATCHKEY_BOOTSTRAP_TOKEN: token,
      LATCHKEY_BOOTSTRAP_EMAIL: 'someone@example.com',
      LATCHKEY_BOOTSTRAP_PASSWORD: 'a-password-of-mine',
      LATCHKEY_LOG_LEVEL: 'trace',
    };
    const process = serve(t, env);
    const origin = await process.origin();
    await process.seen(/first start/);
    const path = `/client/v4/accounts/${env.LATCHKEY_BOOTSTRAP_ACCOUNT_ID}/tokens/verify`;
    assert.equal((await request('GET', origin + path, { token })).status, 200);
    await stopped(process);
    assert.match(process.stdout, /someone@example\.com/);
    for (const secret of [token, 'a-password-of-mine']) {
      assert.equal((process.stdout + process.stderr).includes(secret), false);
    }
  });

  test('that fails because the port is in use does not use up the credentials', async (t) => {
    const env = await newEnvironment(t);
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    t.after(() => blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const refused = await runCli([], { env: { ...env, LATCHKEY_PORT: String(port) } });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^latchkey: cannot listen on LATCHKEY_HOST .*in use[^\n]*\n$/);
    const next = serve(t, env);
    await next.seen(/API token +lkat_/);
    await stopped(next);
  });
});

describe('stopping', () => {
  /** A request that is in the middle of its body, on a server that has just been started. */
  async function startRequest(t: Context) {
    const token = createSecret('lkat_');
    const accountId = createId();
    const env = {
      ...(await newEnvironment(t)),
      LATCHKEY_BOOTSTRAP_ACCOUNT_ID: accountId,
      LATCHKEY_BOOTSTRAP_TOKEN: token,
    };
    const process = serve(t, env);
    const origin = await process.origin();
    // From here on signals are of the running server.
    await process.seen(/\n\n$/);
    const connection = new RawConnection(origin);
    connection.write(
      `POST /client/v4/accounts/${accountId}/tokens HTTP/1.1\r\nhost: a\r\n` +
        `authorization: Bearer ${token}\r\nexpect: 100-continue\r\n` +
        'content-type: application/json\r\ncontent-length: 2\r\n\r\n',
    );
    await connection.receivedUntil('100 Continue');
    return { process, origin, connection };
  }

  /** Resolves when nothing listens any more. */
  async function refused(origin: string): Promise<void> {
    while (
      await request('GET', `${origin}/healthz`).then(
        () => true,
        () => false,
      )
    );
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal}: nothing new is accepted, what runs is finished, exit 0`, async (t) => {
      const { process, origin, connection } = await startRequest(t);
      process.kill(signal);
      await refused(origin);
      connection.write('{}');
      assert.match(await connection.receivedToEnd(), /HTTP\/1\.1 400 [^]*"code":3001/);
      const { code, stderr } = await process.result();
      assert.deepEqual([code, stderr], [0, '']);
    });
  }

  test('a second signal ends the process at once', async (t) => {
    const { process, origin, connection } = await startRequest(t);
    process.kill('SIGTERM');
    await refused(origin);
    process.kill('SIGTERM');
    assert.equal((await process.result()).code, 1);
    await connection.receivedToEnd();
  });

  test('a killed process leaves nothing behind that keeps the next from starting', async (t) => {
    const env = await newEnvironment(t);
    const first = serve(t, env);
    await first.seen(/API token +(\S+)/);
    first.kill('SIGKILL');
    await first.result();
    const second = serve(t, env);
    await second.origin();
    await stopped(second);
  });

  test('a second process in the same directory: one line, exit 1', async (t) => {
    const env = await newEnvironment(t);
    const first = serve(t, env);
    await first.origin();
    for (const command of ['serve', 'migrate']) {
      const { code, stdout, stderr } = await runCli([command], { env });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^latchkey: the data directory \S+ is in use by another [^\n]+\n$/);
    }
    await stopped(first);
  });
});
