import { type Selectable, sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { LogExtremes, LoggedGateway } from '../log-query.ts';
import type { Bins, Dimension, RollupQuery, RollupRow, Sums } from './analytics-query.ts';
import { sumOfBins } from './histogram.ts';
import { generationOf } from '../rollups/rollup-buckets.ts';
import { ALL, MISSING, OTHER, isOfMetadata } from '../rollups/rollup-dimensions.ts';
import {
  NO_EXTREMES,
  SUM_COLUMNS,
  addSums,
  emptySums,
  joinExtremes,
  withoutSums,
} from '../rollups/rollup-sums.ts';
import { selectRollups, totalOf } from './select-rollups.ts';

const COLUMNS = ['dimension', 'start_at', 'value', ...SUM_COLUMNS] as const;

/** The column of the dimension for the sums of all values of the requested one. */
const COUNTED = 'counted';

/**
 * Returns the sums of a gateway in order of time, of all writers. Uses the primary key.
 *
 * Rows without a key of metadata are not counted: their sums are the rest of the total.
 * @param values returns only these, without {@link OTHER}, and sums up all others as {@link OTHER}
 */
export async function readRollups(
  db: Db,
  dialect: LogDialect,
  query: RollupQuery,
  values?: readonly string[],
): Promise<RollupRow[]> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return [];
  const rows =
    values === undefined
      ? await selectRollups(db, scope, query, isOfMetadata(query.dimension))
          .select(COLUMNS)
          .execute()
      : await selectOf(db, scope, query, values).execute();
  const starts = new Map<number, Start>();
  for (const row of rows) addTo(starts, row, query.dimension);
  if (values !== undefined && starts.values().some(isSaturated)) {
    return readRollups(db, dialect, query);
  }
  const tellLeft =
    values === undefined ? tellLacking : tellsApart(query, values) ? tellBoth : tellOthers;
  return [...starts]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([startMs, start]) => {
      const told = [...start.values, ...tellLeft(start)];
      return told
        .filter(([, { requests }]) => requests > 0)
        .map(([value, sums]) => toRow(startMs, value, sums));
    });
}

/** Returns true if rows without a key of metadata are one of the values, and not among the others. */
function tellsApart({ dimension }: RollupQuery, values: readonly string[]): boolean {
  return isOfMetadata(dimension) && values.includes(MISSING);
}

/** Reads the totals, the sums of some values and, if they are needed for rows without a value, the sums of all values. */
function selectOf(db: Db, scope: LogScope, query: RollupQuery, values: readonly string[]) {
  const selected = selectRollups(db, scope, query, true)
    .select(COLUMNS)
    .where((where) => where.or([where('dimension', '=', ALL), where('value', 'in', values)]));
  if (!tellsApart(query, values)) return selected;
  const counted = selectRollups(db, scope, query, false)
    .select([sql.lit(COUNTED).as('dimension'), 'start_at', sql.lit(MISSING).as('value')])
    .select(SUM_COLUMNS.map(togetherOf))
    .groupBy('start_at');
  // In one statement, so that all belong to the same state.
  return selected.unionAll(counted);
}

type StoredSums = Pick<Selectable<GatewayLogRollupsTable>, (typeof COLUMNS)[number]>;

/** Sums with lists of histograms. */
function togetherOf(column: (typeof SUM_COLUMNS)[number]) {
  return column === 'durations' || column === 'ttfts'
    ? sql<string>`'[' || string_agg(${sql.ref(column)}, ',') || ']'`.as(column)
    : totalOf([column]).as(column);
}

/** The sums of one interval. */
interface Start {
  values: Map<string, Sums>;
  /** The totals, and the sums of all values of the dimension; undefined: none, or not read. */
  everything?: Sums;
  counted?: Sums;
}

function addTo(starts: Map<number, Start>, row: StoredSums, dimension: Dimension): void {
  let start = starts.get(row.start_at);
  if (start === undefined) {
    start = { values: new Map() };
    starts.set(row.start_at, start);
  }
  const sums = sumsOf(row);
  if (row.dimension === COUNTED) start.counted = sums;
  else if (row.dimension !== dimension) start.everything = plusSums(start.everything, sums);
  else start.values.set(row.value, plusSums(start.values.get(row.value), sums));
}

function plusSums(known: Sums | undefined, sums: Sums): Sums {
  return known === undefined ? sums : sumOf([known, sums]);
}

function sumOf(parts: Iterable<Sums>): Sums {
  const sums = emptySums();
  for (const part of parts) addSums(sums, part);
  return sums;
}

function sumsOf(row: StoredSums): Sums {
  const binsOf = row.dimension === COUNTED ? binsOfAll : binsOfOne;
  return {
    requests: row.requests,
    errors: row.errors,
    cached: row.cached,
    unpriced: row.unpriced,
    estimated: row.estimated,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    cacheTokens: row.cache_tokens,
    costNanoUsd: row.cost_nano_usd,
    durations: binsOf(row.durations),
    ttfts: binsOf(row.ttfts),
  };
}

function binsOfOne(text: string): Bins {
  return JSON.parse(text) as Bins;
}

function binsOfAll(text: string): Bins {
  return sumOfBins(JSON.parse(text) as Bins[]);
}

/** Returns true for a sum that has reached its maximum, so that its rest would be too small. */
function isSaturated({ everything }: Start): boolean {
  if (everything === undefined) return false;
  const { tokensIn, tokensOut, cacheTokens, costNanoUsd } = everything;
  return Math.max(tokensIn, tokensOut, cacheTokens, costNanoUsd) >= Number.MAX_SAFE_INTEGER;
}

/** Returns the rest of an interval without the values that were read. */
type TellLeft = (start: Start) => [value: string, left: Sums][];

const tellLacking: TellLeft = ({ everything, values }) =>
  everything === undefined ? [] : [[MISSING, withoutSums(everything, sumOf(values.values()))]];

const tellOthers: TellLeft = ({ everything = emptySums(), values }) => [
  [OTHER, withoutSums(everything, sumOf(values.values()))],
];

const tellBoth: TellLeft = ({ everything = emptySums(), counted = emptySums(), values }) => [
  [MISSING, withoutSums(everything, counted)],
  [OTHER, withoutSums(counted, sumOf(values.values()))],
];

/** Removes the members that only writers use. */
function toRow(startMs: number, value: string, sums: Sums): RollupRow {
  return {
    startMs,
    value,
    requests: sums.requests,
    errors: sums.errors,
    cached: sums.cached,
    unpriced: sums.unpriced,
    estimated: sums.estimated,
    tokensIn: sums.tokensIn,
    tokensOut: sums.tokensOut,
    cacheTokens: sums.cacheTokens,
    costNanoUsd: sums.costNanoUsd,
    durations: sums.durations,
    ttfts: sums.ttfts,
  };
}

const DAY_SECONDS = 86_400;

/**
 * Returns the least and the greatest values of all rows of a gateway, also of deleted ones. Reads the sums of its days by
 * the primary key.
 */
export async function readExtremes(
  db: Db,
  dialect: LogDialect,
  { accountId, gatewayId, createdAtMs }: LoggedGateway,
): Promise<LogExtremes> {
  const scope = await dialect.findScope(db, accountId, gatewayId);
  if (scope === undefined) return NO_EXTREMES;
  const days = await db
    .selectFrom('gateway_log_rollups')
    .select('extremes')
    .where((where) => where.and(scope))
    .where('step_seconds', '=', DAY_SECONDS)
    .where('dimension', '=', ALL)
    .where('writer_id', '>=', generationOf(createdAtMs))
    .where('writer_id', '<', generationOf(createdAtMs + 1))
    .execute();
  return days.reduce<LogExtremes>(
    (extremes, { extremes: text }) =>
      text === null ? extremes : joinExtremes(extremes, JSON.parse(text) as LogExtremes),
    NO_EXTREMES,
  );
}
