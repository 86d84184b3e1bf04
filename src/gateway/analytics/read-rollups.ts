import { type Selectable, sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../logs/log-dialect.ts';
import type { LogExtremes, LoggedGateway } from '../logs/log-query.ts';
import type { Bins, Dimension, RollupQuery, RollupRow, Sums } from './analytics-query.ts';
import { sumOfBins } from './histogram.ts';
import { generationOf } from './rollup-buckets.ts';
import { ALL, MISSING, OTHER, isOfMetadata } from './rollup-dimensions.ts';
import {
  NO_EXTREMES,
  SUM_COLUMNS,
  addSums,
  emptySums,
  joinExtremes,
  withoutSums,
} from './rollup-sums.ts';
import { selectRollups, totalOf } from './select-rollups.ts';

const COLUMNS = ['dimension', 'start_at', 'value', ...SUM_COLUMNS] as const;

/** In the place of a dimension: the sums of all values of the one that was asked for. */
const COUNTED = 'counted';

/**
 * The sums of a gateway in order of time, of all writers together. Uses the primary key.
 *
 * Nobody counts the rows that lack a key of metadata; they are what is left of all.
 * @param values only these, without {@link OTHER}; all others are that then
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

/** Whether what lacks a key of metadata is one of the values, and so not among the others. */
function tellsApart({ dimension }: RollupQuery, values: readonly string[]): boolean {
  return isOfMetadata(dimension) && values.includes(MISSING);
}

/** Those of all, those of some values and, if it takes them to tell what has none, of all values together. */
function selectOf(db: Db, scope: LogScope, query: RollupQuery, values: readonly string[]) {
  const selected = selectRollups(db, scope, query, true)
    .select(COLUMNS)
    .where((where) => where.or([where('dimension', '=', ALL), where('value', 'in', values)]));
  if (!tellsApart(query, values)) return selected;
  const counted = selectRollups(db, scope, query, false)
    .select([sql.lit(COUNTED).as('dimension'), 'start_at', sql.lit(MISSING).as('value')])
    .select(SUM_COLUMNS.map(togetherOf))
    .groupBy('start_at');
  // In one statement, so that all are of the same moment.
  return selected.unionAll(counted);
}

type StoredSums = Pick<Selectable<GatewayLogRollupsTable>, (typeof COLUMNS)[number]>;

/** Numbers added up, histograms as a list. */
function togetherOf(column: (typeof SUM_COLUMNS)[number]) {
  return column === 'durations' || column === 'ttfts'
    ? sql<string>`'[' || string_agg(${sql.ref(column)}, ',') || ']'`.as(column)
    : totalOf([column]).as(column);
}

/** What there is of one moment. */
interface Start {
  values: Map<string, Sums>;
  /** Of all, and of all values of the dimension; undefined: none, or not read. */
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

/** So absurd a sum has stopped growing: what is left of it would be too little. */
function isSaturated({ everything }: Start): boolean {
  if (everything === undefined) return false;
  const { tokensIn, tokensOut, cacheTokens, costNanoUsd } = everything;
  return Math.max(tokensIn, tokensOut, cacheTokens, costNanoUsd) >= Number.MAX_SAFE_INTEGER;
}

/** What is left of a moment behind the values that were read. */
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

/** Without what only writers know of. */
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
