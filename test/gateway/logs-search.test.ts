import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { LogListQuery, StoredLog } from '../../src/request-log/log-query.ts';
import { searchRows } from '../../src/request-log/reader/searched-rows.ts';
import { branchCount } from '../../src/request-log/reader/index-scan.ts';
import { onEachDatabase } from '../support/databases.ts';
import { checkPage } from './log-reading.ts';
import { listQuery } from './log-records.ts';
import { type LogTables, insertStored, openLogTables, storedLog } from './stored-logs.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const ROW_COUNT = 5_000;

function metadataOf(index: number): string | null {
  if (index >= ROW_COUNT - 10) return '{"env":"live","session":"just-now"}';
  if (index % 3 === 0) return null;
  return JSON.stringify({
    env: 'live',
    user: `User-${(index * 7) % 901}`,
    ...(index < 3_600 && { team: 'Former' }),
    ...(index === 100 && { 'rare.key': true, '': 'nameless', empty: '' }),
    ...(index === 101 && { note: `${'long '.repeat(50)}end`, [`k${'e'.repeat(250)}y`]: 1 }),
    ...(index === 103 && { note: 'two\nlines, "quoted" \\ and: more', count: 1e21, none: null }),
    ...(index === 104 && { note: 'größe', user2: 'User-778', ratio: 0.125 }),
    ...(index === 106 && { note: '👍'.repeat(150) }),
    ...(index === 200 && { note: 'both' }),
    ...(index === 107 && { note: `${'y'.repeat(199)}z` }),
    ...(index === 109 && { note: `${'y'.repeat(200)}z`, position: 'urn:a[1],b{2}' }),
  });
}

function modelOf(index: number): string {
  if (index === 50) return 'rare-model';
  return index === 60 ? 'model of both' : 'echo';
}

// Of its own: for some seconds a process remembers how many rows a list of a gateway has.
const GATEWAY_ID = 'searched';

/** Mostly rows with rare texts. */
const logs: StoredLog[] = Array.from({ length: ROW_COUNT }, (_, index) =>
  storedLog({
    gateway_id: GATEWAY_ID,
    created_at: START_MS + index * MINUTE_MS,
    model: modelOf(index),
    provider: index % 7 === 0 ? 'openai' : 'local',
    duration_ms: (index * 37) % 1_000,
    cost_nano_usd: index % 4 === 0 ? null : (index * 1_001) % 50_000,
    feedback: index % 5 === 0 ? 1 : null,
    metadata: metadataOf(index),
  }),
);

const LONG_KEY = 'k'.repeat(200);

/** Rows of a gateway of its own. */
function logsOf(gatewayId: string, count: number, of: (index: number) => object): StoredLog[] {
  return Array.from({ length: count }, (_, index) =>
    storedLog({
      gateway_id: gatewayId,
      created_at: START_MS + index * MINUTE_MS,
      metadata: JSON.stringify(of(index)),
    }),
  );
}

/** On both sides of what is found by the different values. */
const limits: StoredLog[] = [
  ...logsOf('rows', 2_001, (index) => ({
    at: index < 2_000 ? 'at-limit' : 'none',
    above: 'above-limit',
    ...(index < 200 && { hundred: `hundred-${index % 100}` }),
    ...(index < 202 && { more: `more-${index % 101}` }),
  })),
  // Two keys of an object are one as far as the index has them.
  ...logsOf('cut-keys', 1_501, (index) =>
    index < 1_001 ? { [`${LONG_KEY}1`]: 'a', [`${LONG_KEY}2`]: 'b' } : { [`${LONG_KEY}1`]: 'c' },
  ),
  ...logsOf('keys-at', 200, (index) => ({ [`key-${index}`]: 'v' })),
  ...logsOf('keys-above', 201, (index) => ({ [`key-${index}`]: 'v' })),
  // With the one key.
  ...logsOf('texts-at', 9_999, (index) => ({ request: `r${index}` })),
  ...logsOf('texts-above', 10_000, (index) => ({ request: `r${index}` })),
];

/** With how many rows, or contexts, are known to have it, on SQLite; undefined: rows are looked at one by one. */
const SEARCHES: [search: string, indexed: number | undefined][] = [
  // Rare, rarer, not at all, just now, and often.
  ['user-778', 4],
  ['USER-77', 43],
  ['nowhere', 0],
  ['JUST-NOW', 10],
  ['former', undefined],
  ['User-', undefined],
  // In a key, in a context, in what an index has only the begin of.
  ['rare.key', 1],
  ['session', 10],
  ['env', undefined],
  ['rare-model', 1],
  ['ECHO', 2],
  ['both', undefined],
  ['end', 1],
  ['eey', 1],
  ['yz', 2],
  // In texts that JSON writes otherwise, in values that are no texts, and in names that are empty.
  ['nlines', 1],
  ['lines', 1],
  ['1e+21', 1],
  ['0.125', 1],
  ['null', 1],
  ['true', 1],
  ['größe', 1],
  ['nameless', 1],
  ['👍👍', 1],
  // What JSON has between texts, and what looks like it.
  ['urn:a[1],b{2', 1],
  [':a', undefined],
  ['[1],', undefined],
  [':1', undefined],
  ['21,', undefined],
  ['{', undefined],
  ['"', undefined],
  ['":"', undefined],
  ['live","', undefined],
  ['\\', undefined],
];

const QUERY: LogListQuery = { ...listQuery('account', GATEWAY_ID), limit: 20 };

const arbitraryQuery: fc.Arbitrary<LogListQuery> = fc.record({
  accountId: fc.constant('account'),
  gatewayId: fc.constant(GATEWAY_ID),
  sinceMs: fc.constantFrom(0, START_MS + 102 * MINUTE_MS, START_MS + 3_000 * MINUTE_MS),
  filters: fc.constantFrom(
    [],
    [],
    [{ on: 'context', field: 'provider', operator: 'eq', values: ['openai'] } as const],
    [{ on: 'row', field: 'duration_ms', operator: 'gt', values: [500] } as const],
    [{ on: 'metadata.key', operator: 'eq', values: ['team'] } as const],
    [{ on: 'created_at', operator: 'lt', values: [START_MS + 2_000 * MINUTE_MS] } as const],
  ),
  search: fc.constantFrom(...SEARCHES.map(([search]) => search), ' ', '-', 'k'),
  orderBy: fc.constantFrom('created_at', 'created_at', 'provider', 'cost_nano_usd', 'feedback'),
  direction: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 1, 5, 100),
  limit: fc.constantFrom(1, 20, 100),
});

onEachDatabase((database) => {
  let tables: LogTables;
  before(async () => {
    tables = await openLogTables(database);
    await insertStored(tables, database === 'sqlite' ? [...logs, ...limits] : logs);
  });
  after(() => tables.close());

  const check = (query: LogListQuery): Promise<void> => checkPage(tables, logs, query);
  /** Rows, or contexts, that are known to have it. */
  const indexed = async (search: string, gatewayId = GATEWAY_ID): Promise<number | undefined> => {
    const { database: stored, dialect } = tables;
    const scope = await dialect.findScope(stored.reader, 'account', gatewayId);
    assert.ok(scope);
    const { scan } = await searchRows({ db: stored.reader, dialect, scope }, search);
    return scan && branchCount(scan);
  };

  test('just the rows that have a text are found, however they are sought and sorted', async () => {
    // Only SQLite has more than one way to them.
    const numRuns = database === 'sqlite' ? 150 : 30;
    await fc.assert(fc.asyncProperty(arbitraryQuery, check), { numRuns });
  });

  test('each of these texts, page by page, on the way that is meant for it', async () => {
    for (const [search, rows] of SEARCHES) {
      await check({ ...QUERY, search, limit: 3 });
      await check({ ...QUERY, search, limit: 3, offset: 3 });
      assert.equal(await indexed(search), database === 'sqlite' ? rows : undefined, search);
    }
  });

  if (database === 'postgres') return;

  test('limits: rows, texts that have it, and texts in all', async () => {
    assert.equal(await indexed('at-limit', 'rows'), 2_000);
    assert.equal(await indexed('above-limit', 'rows'), undefined);
    assert.equal(await indexed('hundred-', 'rows'), 200);
    assert.equal(await indexed('more-', 'rows'), undefined);
    assert.equal(await indexed('kkk', 'cut-keys'), undefined);
    assert.equal(await indexed('key-77', 'keys-at'), 1);
    assert.equal(await indexed('key-77', 'keys-above'), undefined);
    assert.equal(await indexed('r77', 'texts-at'), undefined);
    assert.equal(await indexed('r9998', 'texts-at'), 1);
    assert.equal(await indexed('r9998', 'texts-above'), undefined);
  });
});
