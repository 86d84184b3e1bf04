import type { Selectable } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect } from '../logs/log-dialect.ts';
import type { LogExtremes } from '../logs/log-query.ts';
import type { Bins, RollupQuery, RollupRow, Sums } from './analytics-query.ts';
import { generationOf } from './rollup-buckets.ts';
import { ALL, METADATA_PREFIX, NO_VALUE } from './rollup-dimensions.ts';
import {
  NO_EXTREMES,
  SUM_COLUMNS,
  addSums,
  emptySums,
  joinExtremes,
  withoutSums,
} from './rollup-sums.ts';

const COLUMNS = ['dimension', 'start_at', 'value', ...SUM_COLUMNS] as const;

/**
 * The sums of a gateway in order of time, of all writers together. Uses the primary key.
 *
 * Nobody counts the rows that lack a key of metadata; they are what is left of all.
 */
export async function readRollups(
  db: Db,
  dialect: LogDialect,
  query: RollupQuery,
): Promise<RollupRow[]> {
  const { accountId, gatewayId, createdAtMs, dimension } = query;
  const scope = await dialect.findScope(db, accountId, gatewayId);
  if (scope === undefined) return [];
  const isMetadata = dimension.startsWith(METADATA_PREFIX);
  const rows = await db
    .selectFrom('gateway_log_rollups')
    .select(COLUMNS)
    .where((where) => where.and(scope))
    .where('step_seconds', '=', query.stepSeconds)
    // In one statement, so that both are of the same moment.
    .where('dimension', 'in', isMetadata ? [ALL, dimension] : [dimension])
    .where('start_at', '>=', query.sinceMs)
    .where('start_at', '<', query.untilMs)
    .where('writer_id', '>=', generationOf(createdAtMs))
    .where('writer_id', '<', generationOf(createdAtMs + 1))
    .execute();
  const starts = new Map<number, Map<string, Sums>>();
  for (const row of rows) addTo(starts, row, isMetadata && row.dimension === ALL);
  return [...starts]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([startMs, values]) => rowsOf(startMs, values));
}

/** Under which the sums of all are kept meanwhile: no value of a dimension is like it. */
const EVERYTHING = 'all';

type StoredSums = Pick<Selectable<GatewayLogRollupsTable>, (typeof COLUMNS)[number]>;

function addTo(
  starts: Map<number, Map<string, Sums>>,
  row: StoredSums,
  isEverything: boolean,
): void {
  let values = starts.get(row.start_at);
  if (values === undefined) starts.set(row.start_at, (values = new Map()));
  const value = isEverything ? EVERYTHING : row.value;
  const sums = sumsOf(row);
  const known = values.get(value);
  values.set(value, known === undefined ? sums : sumOf([known, sums]));
}

function sumOf(parts: Iterable<Sums>): Sums {
  const sums = emptySums();
  for (const part of parts) addSums(sums, part);
  return sums;
}

function sumsOf(row: StoredSums): Sums {
  return {
    requests: row.requests,
    errors: row.errors,
    cached: row.cached,
    unpriced: row.unpriced,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    cacheTokens: row.cache_tokens,
    costNanoUsd: row.cost_nano_usd,
    durations: JSON.parse(row.durations) as Bins,
    ttfts: JSON.parse(row.ttfts) as Bins,
  };
}

function rowsOf(startMs: number, values: Map<string, Sums>): RollupRow[] {
  const everything = values.get(EVERYTHING);
  values.delete(EVERYTHING);
  const rows = [...values].map(([value, sums]) => toRow(startMs, value, sums));
  if (everything === undefined) return rows;
  const left = withoutSums(everything, sumOf(values.values()));
  return left.requests === 0 ? rows : [...rows, toRow(startMs, NO_VALUE, left)];
}

/** Without what only writers know of. */
function toRow(startMs: number, value: string, sums: Sums): RollupRow {
  return {
    startMs,
    value,
    requests: sums.requests,
    errors: sums.errors,
    cached: sums.cached,
    unpriced: sums.unpriced,
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
 * The least and the greatest of what was ever logged of a gateway, whether or not its rows are still
 * there. Reads its days: uses the primary key.
 * @param createdAtMs of the gateway, as in {@link RollupQuery}
 */
export async function readExtremes(
  db: Db,
  dialect: LogDialect,
  accountId: string,
  gatewayId: string,
  createdAtMs: number,
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
