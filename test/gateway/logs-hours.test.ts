import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { RollupWriter } from '../../src/request-log/rollups/rollup-writer.ts';
import type { LogScope } from '../../src/request-log/log-dialect.ts';
import type { LogFilter, LogListQuery, StoredLog } from '../../src/request-log/log-query.ts';
import { onEachDatabase } from '../support/databases.ts';
import { checkPage } from './log-reading.ts';
import { type LogTables, insertStored, openLogTables, storedLog } from './stored-logs.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const HOURS = 30;
/** The other gateway has what it is for in half of them. */
const OTHER_HOURS = 15;
const ROWS_PER_HOUR = 1_500;

/** Of the one gateway there were no sums until the middle of this hour. */
const FIRST_HOUR = 1;
/** In it the other gateway was made again; sums of what came to the earlier one after that are gone. */
const SHARED_HOUR = 4;
const MADE_AGAIN_MS = START_MS + SHARED_HOUR * HOUR_MS + 1;
/** They have rows, and no sums, and in these rows the most of all. One hour stands alone between two. */
const FORGOTTEN_HOURS = [0, 9, 23, 25];
/** Nothing is known of what the rows of it cost. */
const FREE_HOUR = 12;

/** The most of an hour: a few have what no other has, beside what is the most of the last one. */
function peakOf(hour: number, place: number): number {
  if (FORGOTTEN_HOURS.includes(hour)) return 20_000 + hour;
  if (hour === FIRST_HOUR || hour === SHARED_HOUR) return 15_000 + hour;
  if (hour % 7 === 3) return place === 102 ? 1_290 : 10_000;
  return hour === HOURS - 1 ? 1_290 : 1_000 + hour * 10;
}

const logsOf = (gatewayId: string, hours: number): StoredLog[] =>
  Array.from({ length: hours * ROWS_PER_HOUR }, (_, index) => {
    const hour = Math.floor(index / ROWS_PER_HOUR);
    const place = index % ROWS_PER_HOUR;
    // Early in its hour, where sums may be wanting.
    const isPeak = place >= 100 && place < 103;
    const usual = ((index * 7919) % 900) + 10 + (hour % 5) * 20;
    const value = isPeak ? peakOf(hour, place) : usual;
    return storedLog({
      gateway_id: gatewayId,
      created_at: START_MS + hour * HOUR_MS + Math.floor((place * HOUR_MS) / ROWS_PER_HOUR),
      provider: index % 3 === 0 ? 'openai' : 'local',
      duration_ms: value,
      tokens_in: index % 4 === 0 || hour % 6 === 5 ? null : value * 3,
      tokens_out: index % 5 === 0 ? null : 30_000 - value,
      cost_nano_usd: hour === FREE_HOUR || (index % 2 === 0 && !isPeak) ? null : value * 1_000,
    });
  });

const logs = [...logsOf('main', HOURS), ...logsOf('again', OTHER_HOURS)];

/** Two nodes write the sums, of all rows but those that nobody sums up. */
async function sumUp({ database, dialect }: LogTables): Promise<void> {
  const scopes = new Map<string, LogScope | undefined>();
  for (const id of ['main', 'again']) {
    scopes.set(id, await dialect.findScope(database.writer, 'account', id));
  }
  const summedUp = logs.filter(({ gateway_id: id, created_at: atMs }) => {
    const hours = (atMs - START_MS) / HOUR_MS;
    if (FORGOTTEN_HOURS.includes(Math.floor(hours))) return false;
    if (id === 'main') return hours >= FIRST_HOUR + 0.5;
    return hours < SHARED_HOUR || hours >= SHARED_HOUR + 0.5;
  });
  for (const node of [0, 1]) {
    const rows = summedUp
      .filter((_, index) => index % 2 === node)
      .map((log) => ({ ...log, gateway_created_at: MADE_AGAIN_MS }));
    const staged = new RollupWriter().stage(rows, START_MS);
    await database.transact((tx) =>
      staged.write(tx, ({ gateway_id: id }) => {
        const scope = scopes.get(id);
        assert.ok(scope !== undefined);
        return scope;
      }),
    );
  }
}

const VALUES = [10, 29, 30, 500, 901, 1_000, 1_010, 1_290, 5_000, 9_999, 10_000, 10_001, 20_000];
const UNITS = { duration_ms: 1, tokens_in: 3, cost_nano_usd: 1_000 } as const;

const numbers: fc.Arbitrary<LogFilter> = fc
  .tuple(
    fc.constantFrom(...(['duration_ms', 'tokens_in', 'tokens_out', 'cost_nano_usd'] as const)),
    fc.constantFrom(...(['gt', 'gt', 'lt', 'eq', 'eq', 'neq'] as const)),
    fc.array(fc.constantFrom(...VALUES, ...VALUES, null), { minLength: 1, maxLength: 2 }),
  )
  .map(([field, operator, some]): LogFilter => {
    const inUnits = (value: number): number =>
      field === 'tokens_out' ? 30_000 - value : value * UNITS[field];
    const values = some.map((value) => (value === null ? null : inUnits(value)));
    return { on: 'row', field, operator, values };
  });

const gateways = fc.constantFrom(
  { gatewayId: 'main', sinceMs: 0 },
  { gatewayId: 'main', sinceMs: START_MS + 3.2 * HOUR_MS },
  { gatewayId: 'again', sinceMs: MADE_AGAIN_MS },
);

const others = fc.record({
  accountId: fc.constant('account'),
  filters: fc
    .tuple(
      fc.array(numbers, { maxLength: 2 }),
      fc.constantFrom<LogFilter[][]>(
        [],
        [],
        [{ on: 'context', field: 'provider', operator: 'eq', values: ['openai'] }],
        [{ on: 'created_at', operator: 'lt', values: [START_MS + 20.3 * HOUR_MS] }],
        [{ on: 'created_at', operator: 'gt', values: [START_MS + 9.01 * HOUR_MS] }],
      ),
    )
    .map(([some, more]) => [...some, ...more]),
  search: fc.constant(undefined),
  orderBy: fc.constantFrom(
    ...(['created_at', 'created_at', 'created_at', 'provider'] as const),
    ...(['duration_ms', 'tokens_in', 'tokens_out', 'cost_nano_usd'] as const),
  ),
  direction: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 0, 5, 40, 2_000, 12_000),
  limit: fc.constantFrom(1, 5, 20, 100, 3_000),
});

const arbitraryQuery: fc.Arbitrary<LogListQuery> = fc
  .tuple(gateways, others)
  .map(([gateway, query]) => ({ ...gateway, ...query }));

onEachDatabase((database) => {
  let tables: LogTables;
  before(async () => {
    tables = await openLogTables(database);
    await insertStored(tables, logs);
    await sumUp(tables);
  });
  after(() => tables.close());

  const check = (query: LogListQuery): Promise<void> => checkPage(tables, logs, query);

  test('what few rows have is found in whichever hour it is', async () => {
    await fc.assert(fc.asyncProperty(arbitraryQuery, check), { numRuns: 30 });
  });

  const query: LogListQuery = {
    accountId: 'account',
    gatewayId: 'main',
    sinceMs: 0,
    filters: [{ on: 'row', field: 'duration_ms', operator: 'gt', values: [5_000] }],
    search: undefined,
    orderBy: 'created_at',
    direction: 'desc',
    offset: 0,
    limit: 3,
  };

  test('of equal rows the newest is first, in whichever hour the others are', async () => {
    const filters: LogFilter[] = [
      { on: 'row', field: 'duration_ms', operator: 'lt', values: [5_000] },
    ];
    await check({ ...query, filters, orderBy: 'duration_ms' });
  });

  test('pages of rare rows follow one another', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      for (const orderBy of ['created_at', 'duration_ms', 'cost_nano_usd'] as const) {
        for (let offset = 0; offset < 18; offset += 3) {
          await check({ ...query, direction, orderBy, offset });
        }
      }
    }
  });
});
