import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startRefusingPooler } from '../support/refusing-pooler.ts';
import { bootServer } from '../support/server.ts';

// The promise is one second; the rest is for a machine with much else to do.
const PATIENCE_MS = 20_000;

describe('a connection pooler before PostgreSQL', () => {
  test('which knows no statement timeout, is told of none', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const url = await startRefusingPooler(t, postgres.url, 'statement_timeout');
    const dialect = openPostgres(url, () => {});
    t.after(() => dialect.close());
    const answers = await Promise.all(
      [1, 2, 3].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(dialect.reader)),
    );
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.n),
      [1, 2, 3],
    );
  });

  test('which refuses something else, is said to', async (t) => {
    const postgres = await createPostgresDatabase();
    t.after(() => postgres.drop());
    const url = await startRefusingPooler(t, postgres.url, 'application_name');
    const dialect = openPostgres(url, () => {});
    t.after(() => dialect.close());
    await assert.rejects(
      sql`select 1`.execute(dialect.reader),
      /unsupported startup parameter: application_name/,
    );
  });

  /** To a node that listens in another database nothing arrives, just as past such a pooler. */
  test('where announcements do not arrive, a node says so once, and caches for a second', async (t) => {
    const elsewhere = await createPostgresDatabase();
    t.after(() => elsewhere.drop());
    const hearing = await bootServer('postgres');
    t.after(() => hearing.stop());
    const deaf = await bootServer('postgres', {
      besides: hearing,
      settings: { DATABASE_DIRECT_URL: elsewhere.url },
    });
    t.after(() => deaf.stop());
    const said = ({ logLines }: typeof deaf): string[] =>
      logLines.filter((line) => line.includes('announcements between nodes do not arrive'));
    assert.equal(said(deaf).length, 1);
    assert.match(said(deaf)[0] ?? '', /LATCHKEY_DATABASE_DIRECT_URL/);
    assert.deepEqual(said(hearing), []);
    const token = await hearing.createToken(['api-tokens.read']);
    const statusOnDeaf = async (): Promise<number> =>
      (await deaf.call('GET', `${deaf.account}/tokens`, { token: token.value })).status;
    assert.equal(await statusOnDeaf(), 200);
    await hearing.call('DELETE', `${hearing.account}/tokens/${token.id}`);
    const isRefused = async (): Promise<boolean> => (await statusOnDeaf()) === 401;
    await eventually('the deaf node refuses the token', isRefused, PATIENCE_MS);
  });
});
