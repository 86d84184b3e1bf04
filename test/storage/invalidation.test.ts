import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { type Answer, type TestServer, bootServer } from '../support/server.ts';

// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 5_000;

describe('two nodes on one PostgreSQL', () => {
  let a: TestServer;
  let b: TestServer;
  let admin: pg.Client;
  let name: string;
  before(async () => {
    a = await bootServer('postgres');
    b = await bootServer('postgres', { besides: a });
    const url = new URL(a.postgresUrl ?? '');
    name = url.pathname.slice(1);
    url.pathname = '/postgres';
    admin = new pg.Client(url.href);
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await b.stop();
    await a.stop();
  });

  /** Cuts the announcement channels of both nodes. */
  async function cutChannels(): Promise<void> {
    const { rows } = await admin.query<{ terminated: boolean }>(
      `select pg_terminate_backend(pid) as terminated from pg_stat_activity
       where datname = $1 and application_name = 'latchkey announcements'`,
      [name],
    );
    assert.ok(rows.length > 0 && rows.every(({ terminated }) => terminated));
  }

  async function bothListening(): Promise<void> {
    const isListening = async (): Promise<boolean> => {
      const { rowCount } = await admin.query(
        `select 1 from pg_stat_activity
         where datname = $1 and application_name = 'latchkey announcements'`,
        [name],
      );
      return rowCount === 2;
    };
    while (!(await isListening()));
  }

  let token: { id: string; value: string };
  const useOn = (node: TestServer): Promise<Answer> =>
    node.call('GET', `${a.account}/tokens`, { token: token.value });

  async function assertRevokedSoon(): Promise<void> {
    assert.equal((await a.call('DELETE', `${a.account}/tokens/${token.id}`)).status, 200);
    const deletedAtMs = Date.now();
    // At once on the node that did it.
    assert.equal((await useOn(a)).status, 401);
    while ((await useOn(b)).status !== 401) {
      assert.ok(Date.now() - deletedAtMs < PATIENCE_MS, 'the other node still takes the token');
    }
  }

  beforeEach(async () => {
    await bothListening();
    token = await a.createToken(['api-tokens.read']);
    // Both have it in memory from here on.
    for (const node of [a, b, a, b]) assert.equal((await useOn(node)).status, 200);
  });
  afterEach(async () => {
    await admin.query(`alter database ${name} allow_connections true`);
  });

  test('a token deleted on one is soon refused by the other', assertRevokedSoon);

  test('also when the announcement channel has just been cut', async () => {
    await cutChannels();
    await assertRevokedSoon();
  });

  test('also while the announcement channel cannot be opened again', async () => {
    await admin.query(`alter database ${name} allow_connections false`);
    await cutChannels();
    await assertRevokedSoon();
  });

  test('also after the channel has been cut and opened again', async () => {
    await cutChannels();
    await bothListening();
    await useOn(b);
    await assertRevokedSoon();
  });

  test('a token made on one works on the other, also one that was unknown there', async () => {
    const made = await b.createToken(['api-tokens.read']);
    const { status } = await a.call('GET', `${a.account}/tokens`, { token: made.value });
    assert.equal(status, 200);
  });
});
