import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
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

onEachDatabase((database) => {
  test('the first start prints the credentials, the next does not, and ends in good order', async (t) => {
    const env = await newEnvironment(t, database);
    if (database === 'sqlite') await failToListen(t, env);
    const first = serve(t, env);
    const origin = await first.origin();
    await first.seen(/\n\n$/);
    const field = (name: string) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(first.stdout)?.[1];
    const [accountId, token] = [field('account id') ?? '', field('API token') ?? ''];
    assert.match(accountId, /^[0-9a-f]{32}$/);
    assert.match(token, /^lkat_/);
    assert.equal(field('email'), 'admin@localhost');
    assert.match(field('password') ?? '', /^[0-9A-Za-z]{20}$/);
    assert.equal(field('API'), `${origin}/client/v4`);
    assert.equal(field('dashboard'), origin);
    const path = `/client/v4/accounts/${accountId}/tokens/verify`;
    assert.equal((await request('GET', origin + path, { token })).status, 200);
    if (database === 'sqlite') {
      await assertInUse(env);
      // Who is killed leaves nothing behind that keeps the next from starting.
      first.kill('SIGKILL');
      await first.result();
    } else {
      first.kill('SIGTERM');
      assert.equal((await first.result()).code, 0);
    }

    const second = serve(t, env);
    const secondOrigin = await second.origin();
    await second.seen(/\n\n$/);
    assert.equal(
      /This is the first start|account id|password {2}|API token {2}|lkat_/.test(second.stdout),
      false,
    );
    assert.equal((await request('GET', secondOrigin + path, { token })).status, 200);
    // Nothing new is accepted, what runs is finished.
    const connection = await startRequest(secondOrigin, accountId, token);
    second.kill(database === 'sqlite' ? 'SIGTERM' : 'SIGINT');
    await refused(secondOrigin);
    connection.write('{}');
    assert.match(await connection.receivedToEnd(), /HTTP\/1\.1 400 [^]*"code":3001/);
    assert.equal((await second.result()).code, 0);
    assert.equal(first.stderr + second.stderr, '');
  });
});

/** A start that fails because the port is in use: it does not use up the credentials. */
async function failToListen(t: Context, env: Record<string, string>): Promise<void> {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  t.after(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const refused = await runCli([], { env: { ...env, LATCHKEY_PORT: String(port) } });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^latchkey: cannot listen on LATCHKEY_HOST .*in use[^\n]*\n$/);
}

/** A second process in the directory of a running server: one line, exit 1. */
async function assertInUse(env: Record<string, string>): Promise<void> {
  for (const command of ['serve', 'migrate']) {
    const { code, stdout, stderr } = await runCli([command], { env });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^latchkey: the data directory \S+ is in use by another [^\n]+\n$/);
  }
}

/** A request that is in the middle of its body. */
async function startRequest(origin: string, accountId: string, token: string) {
  const connection = new RawConnection(origin);
  connection.write(
    `POST /client/v4/accounts/${accountId}/tokens HTTP/1.1\r\nhost: a\r\n` +
      `authorization: Bearer ${token}\r\nexpect: 100-continue\r\n` +
      'content-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
  await connection.receivedUntil('100 Continue');
  return connection;
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

test('preset credentials work and are not printed; a second signal ends the server at once', async (t) => {
  const token = createSecret('lkat_');
  const accountId = createId();
  const process = serve(t, {
    ...(await newEnvironment(t)),
    LATCHKEY_BOOTSTRAP_ACCOUNT_ID: accountId,
    LATCHKEY_BOOTSTRAP_TOKEN: token,
    LATCHKEY_BOOTSTRAP_EMAIL: 'someone@example.com',
    LATCHKEY_BOOTSTRAP_PASSWORD: 'a-password-of-mine',
    LATCHKEY_LOG_LEVEL: 'trace',
  });
  const origin = await process.origin();
  await process.seen(/first start/);
  // From here on signals are of the running server.
  await process.seen(/\n\n$/);
  const path = `/client/v4/accounts/${accountId}/tokens/verify`;
  assert.equal((await request('GET', origin + path, { token })).status, 200);
  const connection = await startRequest(origin, accountId, token);
  process.kill('SIGTERM');
  await refused(origin);
  process.kill('SIGTERM');
  assert.equal((await process.result()).code, 1);
  await connection.receivedToEnd();
  assert.match(process.stdout, /someone@example\.com/);
  for (const secret of [token, 'a-password-of-mine']) {
    assert.equal((process.stdout + process.stderr).includes(secret), false);
  }
});
