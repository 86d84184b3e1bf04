import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { LogFilter, LogListQuery, StoredLog } from '../../src/request-log/log-query.ts';
import { onEachDatabase } from '../support/databases.ts';
import { selectPlainly } from './log-reading.ts';
import { listQuery } from './log-records.ts';
import { type LogTables, insertStored, openLogTables, storedLog } from './stored-logs.ts';

const START_MS = Date.UTC(2026, 0, 1);

const QUERY: LogListQuery = { ...listQuery('account', 'main'), limit: 20 };

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

const METADATA = [
  null,
  '{}',
  JSON.stringify({ team: 'a', user: 42 }),
  JSON.stringify({ team: 'b', beta: true, note: 'Say "hi"\\' }),
  JSON.stringify({ user: 1e21, 'od"d.key': null, team: 'A' }),
  JSON.stringify({ long: 'x'.repeat(300), ratio: 0.1, größe: 'Übergröße' }),
];

/** Logs that differ in everything that a filter can ask for. */
const logs: StoredLog[] = Array.from({ length: 600 }, (_, index) =>
  storedLog({
    // Some are of the same millisecond.
    created_at: START_MS + Math.floor(index / 3) * 60_000,
    gateway_id: index % 50 === 7 ? 'other' : 'main',
    provider: pick(['openai', 'anthropic', 'local'], index * 7),
    model: pick(['gpt-4o', 'GPT-4o-mini', 'claude', 'echo'], index * 5),
    model_type: pick(['text-generation', 'embeddings', null], index * 11),
    path: pick(['chat/completions', 'v1/messages'], index * 3),
    request_type: pick(['rest', 'universal'], Math.floor(index / 4)),
    request_content_type: pick(['application/json', null], index),
    response_content_type: pick(['application/json', 'text/event-stream', null], index),
    token_id: pick(['t1', 't2', null], Math.floor(index / 5)),
    user_id: pick(['u1', null], Math.floor(index / 7)),
    oauth_client_id: pick([null, 'c1'], Math.floor(index / 9)),
    status_code: pick([200, 429, 500], Math.floor(index / 2)),
    success: pick([1, 0], Math.floor(index / 6)),
    cached: pick([0, 0, 1], index),
    step: pick([0, 1], Math.floor(index / 11)),
    duration_ms: (index * 37) % 1_000,
    ttft_ms: index % 4 === 0 ? null : (index * 13) % 300,
    tokens_in: index % 5 === 0 ? null : (index * 17) % 100,
    tokens_out: index % 10 === 0 ? null : (index * 3) % 50,
    cache_tokens: index % 6 === 0 ? index % 7 : null,
    cost_nano_usd: index % 3 === 0 ? null : (index * 1_001) % 50_000,
    feedback: pick([null, null, 1, -1, 0], index),
    score: pick([null, 0.5, 1], index),
    event_id: index % 4 === 0 ? `e${index % 8}` : null,
    metadata: pick(METADATA, index * 5 + Math.floor(index / 6)),
  }),
);

const TEXT_VALUES: Record<string, (string | null)[]> = {
  provider: ['openai', 'local', 'none', 'o', null],
  model: ['gpt-4o', 'claude', 'GPT', 'mini', null],
  model_type: ['embeddings', 'text', null],
  path: ['v1/messages', 'chat', null],
  request_type: ['rest', 'uni', null],
  request_content_type: ['application/json', 'json', null],
  response_content_type: ['text/event-stream', 'stream', null],
  token_id: ['t1', 't', null],
  user_id: ['u1', null],
  oauth_client_id: ['c1', null],
};
const NUMBER_VALUES: Record<string, (number | null)[]> = {
  status_code: [200, 429, 1, 1e12, null],
  success: [0, 1, null],
  cached: [0, 1],
  step: [0, 1, 2],
};
const ROW_VALUES: Record<string, (number | null)[]> = {
  duration_ms: [0, 37, 500, 999, 1e15, null],
  ttft_ms: [0, 150, null],
  tokens_in: [17, 50, null],
  tokens_out: [3, 25, null],
  tokens: [20, 60, null],
  cache_tokens: [0, 3, null],
  cost_nano_usd: [1_001, 25_000, 1e15, null],
  feedback: [-1, 0, 1, null],
  score: [0.5, 0.75, null],
};
const IDS = [logs[0], logs[300], logs[599]].map((log) => log?.id ?? '');
const TIMES = [START_MS, START_MS + 60_000 * 77, START_MS + 60_000 * 77 + 1, START_MS - 5, 9e15];
const METADATA_KEYS = ['team', 'user', 'te', 'od"d.key', 'größe', 'none', null];
const METADATA_VALUES = ['a', 'A', '42', 42, '1e+21', true, null, 'x'.repeat(300), 'Say "', 0.1];

const SEARCHES = [
  // In contexts, in keys, in values, and beyond what an index has of them.
  ['GPT', 'team', 'größ', 'hi', 'BETA', 'b', '42', '1e+21', '0.1', 'null', 'Über', 'x'.repeat(200)],
  // Parts of the JSON, and nothing at all.
  ['say "', '":', 'e,"t', 'xxx"', 'nowhere', ' '],
].flat();

const values = <T>(all: readonly T[]): fc.Arbitrary<T[]> =>
  fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 3 });

function arbitraryFilter(): fc.Arbitrary<LogFilter> {
  const texts = Object.entries(TEXT_VALUES).flatMap(([field, all]) =>
    (['eq', 'neq', 'contains', 'lt', 'gt'] as const).map((operator) => ({ field, operator, all })),
  );
  const compared = ['eq', 'neq', 'lt', 'gt'] as const;
  const numbers = Object.entries(NUMBER_VALUES).flatMap(([field, all]) =>
    compared.map((operator) => ({ field, operator, all })),
  );
  const rows = Object.entries(ROW_VALUES).flatMap(([field, all]) =>
    compared.map((operator) => ({ field, operator, all })),
  );
  const events = (['eq', 'neq', 'contains', 'lt', 'gt'] as const).map((operator) => ({
    field: 'event_id',
    operator,
    all: ['e0', 'e4', 'e', null],
  }));
  return fc.oneof(
    fc.constantFrom(...texts, ...numbers).chain(({ all, ...rest }) =>
      values<string | number | null>(all).map((some) => ({
        on: 'context',
        ...rest,
        values: some,
      })),
    ),
    fc
      .constantFrom(...rows, ...events)
      .chain(({ all, ...rest }) =>
        values<string | number | null>(all).map((some) => ({ on: 'row', ...rest, values: some })),
      ),
    fc.record({
      on: fc.constant('id'),
      operator: fc.constantFrom('eq', 'neq', 'lt', 'gt'),
      values: values(IDS),
    }),
    fc.record({
      on: fc.constant('id'),
      operator: fc.constant('contains'),
      values: values([...IDS.map((id) => id.slice(20)), '-7', 'none']),
    }),
    fc.record({
      on: fc.constant('created_at'),
      operator: fc.constantFrom(...compared),
      values: values(TIMES),
    }),
    fc.record({
      on: fc.constant('metadata.key'),
      operator: fc.constantFrom('eq', 'neq', 'contains', 'lt', 'gt'),
      values: values(METADATA_KEYS),
    }),
    fc.record({
      on: fc.constant('metadata.value'),
      operator: fc.constantFrom('eq', 'neq', 'contains', 'lt', 'gt'),
      values: values(METADATA_VALUES),
    }),
  ) as fc.Arbitrary<LogFilter>;
}

const arbitraryQuery: fc.Arbitrary<LogListQuery> = fc.record({
  accountId: fc.constant('account'),
  gatewayId: fc.constantFrom('main', 'main', 'main', 'other', 'none'),
  sinceMs: fc.constantFrom(0, START_MS, START_MS + 60_000 * 90),
  filters: fc.array(arbitraryFilter(), { maxLength: 3 }),
  search: fc.option(fc.constantFrom(...SEARCHES), { nil: undefined, freq: 2 }),
  orderBy: fc.constantFrom(
    ...(['created_at', 'created_at', 'provider', 'model', 'model_type', 'success'] as const),
    ...(['cached', 'cost_nano_usd', 'tokens_in', 'tokens_out', 'duration_ms', 'feedback'] as const),
  ),
  direction: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 1, 20, 150, 1_000),
  limit: fc.constantFrom(1, 20, 100, 1_000),
});

onEachDatabase((database) => {
  let tables: LogTables;
  before(async () => {
    tables = await openLogTables(database);
    await insertStored(tables, logs);
  });
  after(() => tables.close());

  const check = async (query: LogListQuery): Promise<void> => {
    const { rows, totalCount, isEstimated } = await tables.reads.list(query);
    const expected = selectPlainly(logs, query);
    const { offset, limit } = query;
    assert.deepEqual(
      rows.map(({ id }) => id),
      expected.slice(offset, offset + limit).map(({ id }) => id),
    );
    assert.equal(isEstimated, false);
    assert.equal(totalCount, expected.length);
  };

  test('whatever is asked for, it is what is found, and no more', async () => {
    await fc.assert(fc.asyncProperty(arbitraryQuery, check), {
      numRuns: 60,
    });
  });

  test('rows are read as they were written', async () => {
    const { rows } = await tables.reads.list(QUERY);
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      selectPlainly(logs, QUERY).slice(0, 20),
    );
  });
});
