import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { Dialect } from '../../src/storage/dialect.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { FreezableProxy } from '../support/freezable-proxy.ts';
import { bootServer } from '../support/server.ts';

const STATEMENT_TIMEOUT_MS = 200;

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );
}

describe('a PostgreSQL that accepts and then says nothing', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let proxy: FreezableProxy;
  let dialect: Dialect;
  before(async () => {
    postgres = await createPostgresDatabase();
    proxy = await FreezableProxy.start(postgres.url);
    dialect = openPostgres(proxy.url, () => {}, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  });
  after(async () => {
    await dialect.close();
    proxy.stop();
    await postgres.drop();
  });

  test('a read is given up, and its connection is not used again', async () => {
    await sql`select 1`.execute(dialect.reader);
    proxy.freeze();
    const error = await failureOf(sql`select 1`.execute(dialect.reader));
    assert.match(String(error), /Query read timeout/);
    assert.equal(dialect.troubleOf(error)?.reason, 'storage is unreachable');
    // On the connection of the lost statement this would wait for its answer.
    proxy.thaw();
    const { rows } = await sql<{ n: number }>`select 2 as n`.execute(dialect.reader);
    assert.deepEqual(rows, [{ n: 2 }]);
    assert.equal(proxy.connections, 1);
  });

  test('so is a transaction, without a wait for its rollback', async () => {
    const startMs = performance.now();
    const error = await failureOf(
      dialect.writer.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        proxy.freeze();
        await sql`select 2`.execute(tx);
      }),
    );
    assert.match(String(error), /Query read timeout/);
    assert.equal(dialect.troubleOf(error)?.reason, 'storage is unreachable');
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs < 2 * (STATEMENT_TIMEOUT_MS + 1_000), `${tookMs} ms`);
    proxy.thaw();
    await sql`select 1`.execute(dialect.reader);
    assert.equal(proxy.connections, 1);
  });

  test('a statement that the server itself gives up is trouble too, and costs no connection', async () => {
    const error = await failureOf(sql`select pg_sleep(5)`.execute(dialect.reader));
    assert.match(String(error), /statement timeout/);
    assert.equal(dialect.troubleOf(error)?.reason, 'storage is unreachable');
    await sql`select 1`.execute(dialect.reader);
    assert.equal(proxy.connections, 1);
  });

  test('a mistake in a statement is none, nor is the trouble of something else', async () => {
    const error = await failureOf(sql`select nothing`.execute(dialect.reader));
    assert.equal(dialect.troubleOf(error), undefined);
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    assert.equal(dialect.troubleOf(refused), undefined);
  });

  test('the pool is closed all the same', async () => {
    const other = openPostgres(proxy.url, () => {}, { statementTimeoutMs: 60_000 });
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const lost = failureOf(
      other.writer.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        proxy.freeze();
        begin();
        await sql`select 2`.execute(tx);
      }),
    );
    await begun;
    const startMs = performance.now();
    await other.close();
    assert.ok(performance.now() - startMs < 5_000);
    assert.match(String(await lost), /Connection terminated/);
    proxy.thaw();
  });
});

test('a server stops while a statement is stuck', async () => {
  const server = await bootServer('postgres', { settings: { SHUTDOWN_TIMEOUT_MS: '100' } });
  const locker = new pg.Client(server.postgresUrl ?? '');
  await locker.connect();
  await locker.query('begin; lock table api_tokens in access exclusive mode');
  const cut = failureOf(server.call('GET', `${server.account}/tokens`));
  await eventually('the statement waits for the lock', async () => {
    // Within a transaction PostgreSQL would go on telling what it told the first time.
    await locker.query('select pg_stat_clear_snapshot()');
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
    return (await locker.query(waiting)).rowCount !== 0;
  });
  const startMs = performance.now();
  await server.app.stop();
  assert.ok(performance.now() - startMs < 8_000, `${performance.now() - startMs} ms`);
  await cut;
  await locker.end();
  await server.stop();
});

test('a server stops while its database says nothing', async () => {
  const postgres = await createPostgresDatabase();
  const proxy = await FreezableProxy.start(postgres.url);
  const first = await bootServer('postgres', { settings: { SHUTDOWN_TIMEOUT_MS: '100' } });
  const server = await bootServer('postgres', {
    besides: { ...first, postgresUrl: proxy.url },
    settings: { SHUTDOWN_TIMEOUT_MS: '100' },
  });
  await first.stop();
  assert.equal((await server.call('GET', `${server.account}/tokens`)).status, 200);
  proxy.freeze();
  const cut = failureOf(server.call('GET', `${server.account}/tokens`));
  const startMs = performance.now();
  await server.stop();
  const tookMs = performance.now() - startMs;
  assert.ok(tookMs < 12_000, `${tookMs} ms`);
  await cut;
  proxy.stop();
  await postgres.drop();
});
