import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { LogFilter, LogListQuery } from '../../src/request-log/log-query.ts';
import { findEntry } from '../../src/request-log/reader/find-entry.ts';
import { leastUuidV7 } from '../../src/lib/ids.ts';
import { onEachDatabase } from '../support/databases.ts';
import { listQuery } from './log-records.ts';
import { type LogTables, openLogTables } from './stored-logs.ts';

const ROW_COUNT = 60_000;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const CONTEXTS = 3;

const QUERY: LogListQuery = { ...listQuery('account', 'main'), sinceMs: START_MS, limit: 20 };

const DURATION = { on: 'row', field: 'duration_ms' } as const;

/** More rows than one statement looks at: the n-th of a minute each, of three providers in turn. */
onEachDatabase((database) => {
  let tables: LogTables;
  before(async () => {
    tables = await openLogTables(database);
    await insertMany(tables);
  });
  after(() => tables.close());

  const list = (query: Partial<LogListQuery>) => tables.reads.list({ ...QUERY, ...query });
  const numbersOf = async (query: Partial<LogListQuery>): Promise<number[]> =>
    (await list(query)).rows.map(({ created_at: atMs }) => (atMs - START_MS) / MINUTE_MS);
  const countdown = (from: number, count: number, step = 1): number[] =>
    Array.from({ length: count }, (_, index) => from - index * step);
  const provider = (value: string): LogFilter => ({
    on: 'context',
    field: 'provider',
    operator: 'eq',
    values: [value],
  });

  test('pages from the beginning, from the middle and from the end', async () => {
    const last = ROW_COUNT - 1;
    assert.deepEqual(await numbersOf({}), countdown(last, 20));
    assert.deepEqual(await numbersOf({ offset: 45_000 }), countdown(last - 45_000, 20));
    assert.deepEqual(await numbersOf({ offset: ROW_COUNT - 5 }), [4, 3, 2, 1, 0]);
    assert.deepEqual(await numbersOf({ offset: ROW_COUNT }), []);
    assert.deepEqual(
      await numbersOf({ offset: 45_000, direction: 'asc', limit: 2 }),
      [45_000, 45_001],
    );
    const { totalCount, isEstimated } = await list({ offset: 45_000 });
    assert.deepEqual([totalCount, isEstimated], [ROW_COUNT, false]);
  });

  test('a provider is found among the others, and its rows are counted without being read', async () => {
    const filters = [provider('p1')];
    assert.deepEqual(await numbersOf({ filters }), countdown(ROW_COUNT - 2, 20, 3));
    assert.deepEqual(await numbersOf({ filters, offset: 15_000, limit: 2 }), [14_998, 14_995]);
    const { totalCount, isEstimated } = await list({ filters });
    assert.deepEqual([totalCount, isEstimated], [ROW_COUNT / 3, false]);
    const both = { on: 'context', field: 'provider', operator: 'neq', values: ['p1'] } as const;
    const others = await list({ filters: [{ ...both, values: ['p1'] }] });
    assert.equal(others.totalCount, (ROW_COUNT / 3) * 2);
  });

  test('rows of a provider that went quiet long ago are found without walking all others', async () => {
    const rows = await list({ filters: [provider('p-old')] });
    assert.deepEqual([rows.rows.length, rows.totalCount, rows.isEstimated], [1, 1, false]);
  });

  test('the number of matching rows is estimated if most rows match, and counted if few match', async () => {
    const often = await list({ filters: [{ ...DURATION, operator: 'lt', values: [500] }] });
    assert.equal(often.isEstimated, true);
    assert.ok(Math.abs(often.totalCount - ROW_COUNT / 2) < ROW_COUNT / 20, `${often.totalCount}`);
    const rare = await list({ filters: [{ ...DURATION, operator: 'eq', values: [7] }] });
    assert.deepEqual(rare.rows.length, 20);
    assert.ok(Math.abs(rare.totalCount - 60) < 15, `${rare.totalCount}`);
    const all = await list({ filters: [{ ...DURATION, operator: 'eq', values: [7] }], limit: 100 });
    assert.deepEqual([all.rows.length, all.totalCount, all.isEstimated], [60, 60, false]);
    const none = await list({ filters: [{ ...DURATION, operator: 'gt', values: [1_000] }] });
    assert.deepEqual([none.rows.length, none.totalCount, none.isEstimated], [0, 0, false]);
  });

  test('a part of the time is counted while it is short, and estimated when it is long', async () => {
    const since = (minutes: number): LogFilter[] => [
      {
        on: 'created_at',
        operator: 'gt',
        values: [START_MS + (ROW_COUNT - minutes) * MINUTE_MS - 1],
      },
    ];
    const short = await list({ filters: since(3_000) });
    assert.deepEqual([short.totalCount, short.isEstimated], [3_000, false]);
    const few = await list({ filters: [...since(12_000), provider('p1')] });
    assert.deepEqual([few.totalCount, few.isEstimated], [4_000, false]);
    // All but a few old ones: those are taken from the kept count.
    const most = await list({ filters: since(ROW_COUNT - 4_000) });
    assert.deepEqual([most.totalCount, most.isEstimated], [ROW_COUNT - 4_000, false]);
    const long = await list({ filters: since(40_000) });
    assert.equal(long.isEstimated, true);
    assert.ok(Math.abs(long.totalCount - 40_000) < 4_000, `${long.totalCount}`);
    const old = await list({
      filters: [{ on: 'created_at', operator: 'lt', values: [START_MS + 5] }],
    });
    assert.deepEqual([old.rows.length, old.totalCount], [1, 1]);
  });

  test('the greatest and the least of all, however many there are', async () => {
    const durations = async (query: Partial<LogListQuery>): Promise<number[]> =>
      (await list({ orderBy: 'duration_ms', ...query })).rows.map((row) => row.duration_ms);
    assert.deepEqual(await durations({ limit: 61 }), [...Array(60).fill(999), 998]);
    assert.deepEqual(await durations({ limit: 2, offset: 59, direction: 'asc' }), [0, 1]);
    const groups = await list({ orderBy: 'provider', offset: ROW_COUNT / 3 + 1, limit: 1 });
    assert.deepEqual(
      groups.rows.map((row) => row.provider),
      ['p1'],
    );
  });

  test('each page continues at the end of the page before', async () => {
    const filters: LogFilter[] = [{ ...DURATION, operator: 'lt', values: [100] }];
    const found: number[] = [];
    for (let offset = 0; offset < 6_000; offset += 1_000) {
      found.push(...(await numbersOf({ filters, offset, limit: 1_000 })));
    }
    assert.deepEqual(found.length, 6_000);
    assert.equal(new Set(found).size, 6_000);
    assert.ok(found.every((number, index) => index === 0 || number < (found[index - 1] ?? 0)));
    const ids = await tables.reads.selectIds({ ...QUERY, limit: 10_000 });
    assert.equal(ids.length, 10_000);
  });

  test('an old row is found unless it is older than the retention', async () => {
    const id = leastUuidV7(START_MS);
    const find = (sinceMs: number) =>
      findEntry(tables.database.reader, tables.dialect, {
        accountId: 'account',
        gatewayId: 'main',
        id,
        sinceMs,
      });
    assert.equal((await find(START_MS))?.id, id);
    assert.equal(await find(START_MS + 1), undefined);
  });
});

async function insertMany({ database, dialect }: LogTables): Promise<void> {
  const db = database.writer;
  await db
    .insertInto('gateway_log_gateways')
    .values({ account_id: 'account', gateway_id: 'main', log_count: ROW_COUNT })
    .execute();
  const scope = await dialect.findScope(db, 'account', 'main');
  const context = {
    ...scope,
    model: 'echo',
    path: 'chat/completions',
    request_type: 'rest',
    status_code: 200,
    success: 1,
    cached: 0,
    step: 0,
    attempts: 1,
    custom_cost: 0,
  } as const;
  // The first row of all is the only one of a provider of its own.
  const contexts = [...Array.from({ length: CONTEXTS }, (_, index) => `p${index}`), 'p-old'];
  for (const [index, name] of contexts.entries()) {
    const count = index === CONTEXTS ? 1 : ROW_COUNT / CONTEXTS - (index === 0 ? 1 : 0);
    await db
      .insertInto('gateway_log_contexts')
      .values({ ...context, context_id: index, provider: name, log_count: count })
      .execute();
  }
  const isSqlite = dialect.name === 'sqlite';
  const columns = sql.join(Object.keys(scope ?? {}).map((column) => sql.ref(column)));
  const values = sql.join(Object.values(scope ?? {}).map((value) => sql.lit(value)));
  const time = sql`${sql.lit(START_MS)} + n * ${sql.lit(MINUTE_MS)}`;
  const id = isSqlite
    ? sql`unhex(printf('%012x', ${time}) || '70008000000000000000')`
    : sql`cast(lpad(to_hex(${time}), 12, '0') || '70008000000000000000' as uuid)`;
  const numbers = isSqlite
    ? sql`(with recursive t(n) as (select 0 union all select n + 1 from t where n < ${sql.lit(ROW_COUNT - 1)})
        select n from t)`
    : sql`(select generate_series(0, ${sql.lit(ROW_COUNT - 1)})::bigint as n)`;
  await sql`
    insert into gateway_log_entries (${columns}, id, context_id, duration_ms)
    select ${values}, ${id},
      case n when 0 then ${sql.lit(CONTEXTS)} else n % ${sql.lit(CONTEXTS)} end,
      (n * 7919) % 1000
    from ${numbers} as numbers`.execute(db);
}
