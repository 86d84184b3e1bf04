import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createId } from '../../src/lib/ids.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { CliProcess } from '../support/cli.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import {
  type Answer,
  type CallOptions,
  allowPolicy,
  createDataDir,
  request,
} from '../support/server.ts';

// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 5_000;
// A node whose database says nothing does not answer either.
const ANSWER_TIMEOUT_MS = 500;
// Longer than a statement may take.
const REPAIR_MS = 20_000;

/** Two `latchkey serve` on one database; the second one reaches it through a proxy. */
describe('two processes on one PostgreSQL', () => {
  const accountId = createId();
  const firstToken = createSecret('lkat_');
  const tokens = `/accounts/${accountId}/tokens`;
  // Needs api-tokens.read, and nothing of the database: who may is answered from memory.
  const groups = `${tokens}/permission_groups`;
  const dataDirs: string[] = [];
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let proxy: FreezableProxy;
  let admin: pg.Client;
  let a: CliProcess;
  let b: CliProcess;
  let origins: { a: string; b: string };

  async function serve(databaseUrl: string): Promise<CliProcess> {
    const dataDir = await createDataDir();
    dataDirs.push(dataDir);
    return new CliProcess(['serve'], {
      env: {
        LATCHKEY_PORT: '0',
        LATCHKEY_DATA_DIR: dataDir,
        LATCHKEY_DATABASE_URL: databaseUrl,
        LATCHKEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        LATCHKEY_BOOTSTRAP_ACCOUNT_ID: accountId,
        LATCHKEY_BOOTSTRAP_TOKEN: firstToken,
      },
    });
  }

  before(async () => {
    postgres = await createPostgresDatabase();
    proxy = await FreezableProxy.start(postgres.url);
    admin = new pg.Client(postgres.url);
    await admin.connect();
    a = await serve(postgres.url);
    const originOfA = await a.origin();
    b = await serve(proxy.url);
    origins = { a: originOfA, b: await b.origin() };
  });
  after(async () => {
    proxy.thaw();
    for (const node of [a, b]) node.kill('SIGTERM');
    await Promise.all([a.result(), b.result()]);
    await admin.end();
    proxy.stop();
    await postgres.drop();
    for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  });

  const call = (
    node: 'a' | 'b',
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> =>
    request(method, `${origins[node]}/client/v4${path}`, { token: firstToken, ...options });

  const body = (...slugs: string[]) => ({
    name: 'revoked',
    policies: [allowPolicy(accountId, slugs)],
  });

  interface Token {
    id: string;
    value: string;
  }

  /** True if a node accepts the token; a node that does not answer in time does not accept it. */
  async function isTakenBy(
    node: 'a' | 'b',
    { value }: Token,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<boolean> {
    try {
      const { status } = await fetch(`${origins[node]}/client/v4${groups}`, {
        headers: { authorization: `Bearer ${value}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return status === 200;
    } catch (error) {
      assert.equal((error as Error).name, 'TimeoutError', String(error));
      return false;
    }
  }

  async function bothListening(): Promise<void> {
    await eventually('both nodes listen', async () => {
      const { rowCount } = await admin.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'latchkey announcements'`,
      );
      return rowCount === 2;
    });
  }

  /** A token that both nodes have in memory. */
  async function knownToken(): Promise<Token> {
    const created = await call('a', 'POST', tokens, { body: body('api-tokens.read') });
    assert.equal(created.status, 200, created.text);
    const token = created.json.result as Token;
    for (const node of ['a', 'b', 'a', 'b'] as const) {
      assert.equal(await isTakenBy(node, token, PATIENCE_MS), true);
    }
    return token;
  }

  const update = ({ id }: Token, fields: Record<string, unknown>): Promise<Answer> =>
    call('a', 'PUT', `${tokens}/${id}`, { body: { ...body('api-tokens.read'), ...fields } });

  type Revocation = (token: Token) => Promise<Answer>;

  const disable: Revocation = (token) => update(token, { status: 'disabled' });

  const revocations: readonly (readonly [name: string, how: Revocation])[] = [
    ['deleted', ({ id }) => call('a', 'DELETE', `${tokens}/${id}`)],
    ['rolled', ({ id }) => call('a', 'PUT', `${tokens}/${id}/value`, { body: {} })],
    ['disabled', disable],
    ['given other policies', (token) => update(token, body('tags.read'))],
    [
      'kept to other addresses',
      (token) => update(token, { condition: { request_ip: { not_in: ['127.0.0.1'] } } }),
    ],
  ];

  /** At once on the node that did it, and soon on the other. */
  async function revoke(token: Token, how: Revocation): Promise<void> {
    const revoked = await how(token);
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal(await isTakenBy('a', token), false);
    const isRefused = async (): Promise<boolean> => !(await isTakenBy('b', token));
    await eventually('the other node refuses it', isRefused, PATIENCE_MS);
  }

  /** A token for each way, and what revokes them all at once. */
  async function prepareAll(): Promise<{ known: Token[]; revokeAll: () => Promise<unknown> }> {
    const pairs = await Promise.all(
      revocations.map(async ([, how]) => ({ token: await knownToken(), how })),
    );
    return {
      known: pairs.map(({ token }) => token),
      revokeAll: () => Promise.all(pairs.map(({ token, how }) => revoke(token, how))),
    };
  }

  beforeEach(bothListening);

  for (const [name, how] of revocations) {
    test(`a token is ${name}`, async () => revoke(await knownToken(), how));
  }

  test('all of it when the channels have just been cut', async () => {
    const { revokeAll } = await prepareAll();
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'latchkey announcements'`,
    );
    await revokeAll();
  });

  test('all of it while the other node hears nothing, and its database says nothing', async (t) => {
    const { known, revokeAll } = await prepareAll();
    t.after(() => proxy.thaw());
    proxy.freeze();
    await revokeAll();
    proxy.thaw();
    // What it asked meanwhile is lost, and given up after a while.
    const isBack = async (): Promise<boolean> => (await call('b', 'GET', tokens)).status === 200;
    await eventually('the other node answers again', isBack, REPAIR_MS);
    for (const token of known) assert.equal(await isTakenBy('b', token), false);
  });

  test('a new value works on the other node as soon as it is known', async () => {
    const { id } = await knownToken();
    const { json } = await call('a', 'PUT', `${tokens}/${id}/value`, { body: {} });
    assert.equal(await isTakenBy('b', { id, value: json.result }), true);
  });

  test('what was disabled on one and enabled on the other works on both', async () => {
    const token = await knownToken();
    await revoke(token, disable);
    const enabled = await call('b', 'PUT', `${tokens}/${token.id}`, {
      body: { ...body('api-tokens.read'), status: 'active' },
    });
    assert.equal(enabled.status, 200);
    assert.equal(await isTakenBy('b', token), true);
    await eventually('the first takes it again', () => isTakenBy('a', token), PATIENCE_MS);
  });
});
