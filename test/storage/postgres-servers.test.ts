import assert from 'node:assert/strict';
import { type TestContext, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/storage/database.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { PostgresServers, ServerClient } from '../../src/storage/postgres-servers.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import { freePort } from '../support/postgres-server.ts';

const OPTIONS = { applicationName: 'test', statementTimeoutMs: 60_000, queryTimeoutMs: 60_000 };
// Far below the time after which a statement is given up.
const SOON_MS = 30_000;

interface Place {
  url: string;
  proxies: [FreezableProxy, FreezableProxy];
}

/** A connection string for two hosts, both of which lead to the same database. */
async function twoHosts(t: TestContext): Promise<Place> {
  const postgres = await createPostgresDatabase();
  t.after(() => postgres.drop());
  const proxies: [FreezableProxy, FreezableProxy] = [
    await FreezableProxy.start(postgres.url),
    await FreezableProxy.start(postgres.url),
  ];
  t.after(() => proxies.forEach((proxy) => proxy.stop()));
  return { url: withHosts(postgres.url, ...proxies.map(({ url }) => new URL(url).host)), proxies };
}

function withHosts(url: string, ...hosts: string[]): string {
  const { username, password, pathname } = new URL(url);
  return `postgres://${username}:${password}@${hosts.join(',')}${pathname}`;
}

async function open(t: TestContext, place: string | PostgresServers): Promise<Dialect> {
  const dialect = openPostgres(place, () => {}, { statementTimeoutMs: 60_000 });
  t.after(() => dialect.close());
  return dialect;
}

const answerOf = async ({ reader }: Dialect): Promise<unknown> =>
  (await sql<{ n: number }>`select 1 as n`.execute(reader)).rows[0]?.n;

describe('several hosts in one connection string', () => {
  test('one that refuses costs nothing, and is not asked again', async (t) => {
    const { proxies } = await twoHosts(t);
    const dead = `127.0.0.1:${await freePort()}`;
    const servers = new PostgresServers(
      withHosts(proxies[0].url, dead, new URL(proxies[0].url).host),
    );
    const dialect = await open(t, servers);
    assert.equal(await answerOf(dialect), 1);
    assert.equal(servers.current, servers.addresses[1]);
  });

  test('when none can be reached, each says why', async (t) => {
    const { proxies } = await twoHosts(t);
    const dead = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const dialect = await open(t, withHosts(proxies[0].url, ...dead));
    await assert.rejects(answerOf(dialect), (error: Error) => {
      for (const place of dead) assert.ok(error.message.includes(place), error.message);
      return dialect.troubleOf(error) !== undefined && dialect.isConnectionLost(error);
    });
  });

  test('one that accepts and says nothing is given up; what waits on it goes on elsewhere', async (t) => {
    const { url, proxies } = await twoHosts(t);
    const servers = new PostgresServers(url);
    const dialect = await open(t, servers);
    assert.equal(await answerOf(dialect), 1);
    proxies[0].freeze();
    const startMs = performance.now();
    const stuck = assert.rejects(answerOf(dialect), /Connection terminated/);
    // As the announcement channel does, which notices first.
    await assert.rejects(new ServerClient(servers, OPTIONS).connect(), /timeout expired/);
    const other = new ServerClient(servers, OPTIONS);
    await other.connect();
    await stuck;
    assert.equal(await answerOf(dialect), 1);
    assert.ok(performance.now() - startMs < SOON_MS);
    assert.equal(proxies[0].connections, 0);
    await other.end();
  });
});

describe('a server that takes no changes', () => {
  async function readOnly(
    t: TestContext,
  ): Promise<{ url: string; change: (to: 'on' | 'off') => Promise<void> }> {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const { pathname } = new URL(postgres.url);
    return {
      url: postgres.url,
      change: async (to) => {
        const admin = openPostgres(new URL('/postgres', postgres.url).href, () => {});
        const name = sql.id(pathname.slice(1));
        await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(to)}`.execute(
          admin.reader,
        );
        await admin.close();
      },
    };
  }

  test('is not connected to, unless any will do', async (t) => {
    const { url, change } = await readOnly(t);
    await change('on');
    const dialect = await open(t, url);
    await assert.rejects(answerOf(dialect), (error: Error) => {
      assert.match(error.message, /does not accept writes: it is a standby or read-only/);
      return dialect.troubleOf(error) !== undefined && dialect.isConnectionLost(error);
    });
    for (const session of ['any', 'primary']) {
      assert.equal(await answerOf(await open(t, `${url}?target_session_attrs=${session}`)), 1);
    }
    await change('off');
    assert.equal(await answerOf(dialect), 1);
  });

  test('a change that it refuses is made on another connection', async (t) => {
    const { url } = await readOnly(t);
    const database = openDatabase({ databaseUrl: url, dataDir: '' }, () => {});
    t.after(() => database.close());
    const sessions: number[] = [];
    await database.transaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      sessions.push(rows[0]?.pid ?? 0);
      if (sessions.length === 1) await sql`set transaction read only`.execute(tx);
      await sql`create table changed (n int)`.execute(tx);
    });
    assert.equal(sessions.length, 2);
    assert.notEqual(sessions[0], sessions[1]);
  });

  test('a connection whose server says that it has become one is not used again', async (t) => {
    const { url } = await readOnly(t);
    const dialect = await open(t, url);
    const session = async (): Promise<unknown> =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dialect.reader)).rows[0]
        ?.pid;
    const first = await session();
    assert.equal(await session(), first);
    await sql`set default_transaction_read_only = on`.execute(dialect.reader);
    assert.notEqual(await session(), first);
  });
});
