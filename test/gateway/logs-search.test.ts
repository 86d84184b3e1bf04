import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { LogListQuery, StoredLog } from '../../src/gateway/logs/log-query.ts';
import { listEntries } from '../../src/gateway/logs/read/list-entries.ts';
import { onEachDatabase } from '../support/databases.ts';
import { selectPlainly } from './log-reading.ts';
import { type LogTables, insertStored, openLogTables, storedLog } from './stored-logs.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
/** Of these the newest have none of what is searched for below. */
const ROW_COUNT = 5_000;
const QUIET_ROWS = 1_000;
const MANY_TEXTS = 10_500;

function metadataOf(index: number): string | null {
  if (index >= ROW_COUNT - QUIET_ROWS) return index % 2 === 0 ? null : '{"env":"live"}';
  if (index % 3 === 0) return null;
  return JSON.stringify({
    env: 'live',
    user: `User-${index % 900}`,
    ...(index < 3_600 && { team: 'Former' }),
    ...(index === 100 && { 'rare.key': true, '': 'nameless', empty: '' }),
    ...(index === 101 && { note: `${'long '.repeat(50)}end`, [`k${'e'.repeat(250)}y`]: 1 }),
    ...(index === 103 && { note: 'two\nlines, "quoted" \\ and: more', count: 1e21, none: null }),
    ...(index === 104 && { note: 'größe', user2: 'User-777', ratio: 0.125 }),
    ...(index === 106 && { note: '👍'.repeat(150) }),
  });
}

/** Mostly old rows with rare texts. */
const logs: StoredLog[] = Array.from({ length: ROW_COUNT }, (_, index) =>
  storedLog({
    created_at: START_MS + index * MINUTE_MS,
    model: index === 50 ? 'rare-model' : 'echo',
    provider: index % 7 === 0 ? 'openai' : 'local',
    duration_ms: (index * 37) % 1_000,
    cost_nano_usd: index % 4 === 0 ? null : (index * 1_001) % 50_000,
    feedback: index % 5 === 0 ? 1 : null,
    metadata: metadataOf(index),
  }),
);

/** Nearly every row has a value of its own. */
const various: StoredLog[] = Array.from({ length: MANY_TEXTS }, (_, index) =>
  storedLog({
    gateway_id: 'various',
    created_at: START_MS + index * MINUTE_MS,
    metadata: index < MANY_TEXTS - QUIET_ROWS ? JSON.stringify({ request: `r${index}` }) : null,
  }),
);

const SEARCHES = [
  // Rare, rarer, not at all, and often in old rows.
  ['user-777', 'USER-77', 'user-888', 'nowhere', 'former', 'User-'],
  // In a key, in a context, in what an index has only the begin of.
  ['rare.key', 'rare-model', 'end', 'eey', 'k'],
  // In texts that JSON writes otherwise, in no text, and across entries.
  ['nlines', 'lines', 'quoted" ', '1e+21', '0.125', 'null', 'true', '":"', 'live","', 'größe'],
  ['nameless', '👍👍', ' ', '-'],
].flat();

const QUERY: LogListQuery = {
  accountId: 'account',
  gatewayId: 'main',
  sinceMs: 0,
  filters: [],
  search: undefined,
  orderBy: 'created_at',
  direction: 'desc',
  offset: 0,
  limit: 20,
};

const arbitraryQuery: fc.Arbitrary<LogListQuery> = fc.record({
  accountId: fc.constant('account'),
  gatewayId: fc.constant('main'),
  sinceMs: fc.constantFrom(0, START_MS + 102 * MINUTE_MS, START_MS + 3_000 * MINUTE_MS),
  filters: fc.constantFrom(
    [],
    [],
    [{ on: 'context', field: 'provider', operator: 'eq', values: ['openai'] } as const],
    [{ on: 'row', field: 'duration_ms', operator: 'gt', values: [500] } as const],
    [{ on: 'metadata.key', operator: 'eq', values: ['team'] } as const],
    [{ on: 'created_at', operator: 'lt', values: [START_MS + 2_000 * MINUTE_MS] } as const],
  ),
  search: fc.constantFrom(...SEARCHES),
  orderBy: fc.constantFrom('created_at', 'created_at', 'provider', 'cost_nano_usd', 'feedback'),
  direction: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 1, 5, 100),
  limit: fc.constantFrom(1, 20, 100),
});

onEachDatabase((database) => {
  let tables: LogTables;
  before(async () => {
    tables = await openLogTables(database);
    await insertStored(tables, [...logs, ...various]);
  });
  after(() => tables.close());

  const check = async (query: LogListQuery, stored = logs): Promise<void> => {
    const { dialect } = tables;
    const page = await listEntries(tables.database.reader, dialect, query);
    const expected = selectPlainly(stored, query);
    const { offset, limit } = query;
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      expected.slice(offset, offset + limit).map(({ id }) => id),
    );
    if (!page.isEstimated) assert.equal(page.totalCount, expected.length);
  };

  test('whatever is searched, just the rows that have it are found', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryQuery, (query) => check(query)),
      { numRuns: 150 },
    );
  });

  test('each of these texts, and one that only few of very many values have', async () => {
    for (const search of SEARCHES) await check({ ...QUERY, search });
    for (const search of ['r77', 'r9499', 'r9500']) {
      await check({ ...QUERY, gatewayId: 'various', search }, various);
    }
  });
});
