import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Transaction } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { Dimension, StepSeconds } from '../analytics/analytics-query.ts';
import { generationOf } from './rollup-buckets.ts';

const DAY_MS = 86_400_000;

/** The minimum retention of sums, by the length of their interval. */
export const KEPT_MS: Readonly<Record<StepSeconds, number>> = {
  60: 3 * DAY_MS,
  3_600: 100 * DAY_MS,
  86_400: 3_653 * DAY_MS,
};

// A few milliseconds on SQLite, so that writers get their turn.
const ROWS_PER_PRUNE = 500;
const SERIES_PER_PRUNE = 100;

/** The sums of a gateway with one length in one dimension, which is a prefix of the primary key. */
interface Series {
  scope: LogScope;
  stepSeconds: StepSeconds;
  dimension: Dimension;
}

/** A series, or the position before all series of a gateway. */
type Position = Omit<Series, 'stepSeconds'> & { stepSeconds: number };

/** Deletes some expired sums. Returns true if there may be more. */
export type PruneRollups = (tx: Transaction, nowMs: number) => Promise<boolean>;

/**
 * Creates a function that deletes some expired sums at each call. It continues from series to series, each of which takes one
 * lookup in the primary key, and starts again after the last one.
 */
export function createPruneRollups(dialect: LogDialect): PruneRollups {
  // A transaction that is rolled back skips its series until the next round.
  let position: Series | undefined;
  return async (tx, nowMs) => {
    for (let seen = 0; seen < SERIES_PER_PRUNE; seen++) {
      const series = await nextSeries(tx, dialect, position);
      if (series === undefined) {
        position = undefined;
        return false;
      }
      // A query may start inside of an interval, and then includes the whole interval.
      const beforeMs = nowMs - KEPT_MS[series.stepSeconds] - series.stepSeconds * 1_000;
      if (await deleteSome(tx, series, { beforeMs, limit: ROWS_PER_PRUNE })) return true;
      position = series;
    }
    return true;
  };
}

/**
 * Deletes some sums of gateways with an id that were created before a time, and none of a later gateway.
 * @returns true if there may be more
 */
export async function purgeGatewayRollups(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  { beforeMs, limit }: Doomed,
): Promise<boolean> {
  const madeBefore = generationOf(beforeMs);
  let position: Position = { scope, stepSeconds: 0, dimension: '' };
  for (;;) {
    const series = await nextSeries(tx, dialect, position);
    if (series === undefined || !isSameScope(series.scope, scope)) return false;
    if (await deleteSome(tx, series, { beforeMs, madeBefore, limit })) return true;
    position = series;
  }
}

/** Returns the first series after a position in the primary key. */
async function nextSeries(
  tx: Transaction,
  { name }: LogDialect,
  after: Position | undefined,
): Promise<Series | undefined> {
  const scopeKeys = name === 'sqlite' ? ['gateway_key'] : ['account_id', 'gateway_id'];
  const columns = [...scopeKeys, 'step_seconds', 'dimension'];
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const where =
    after === undefined
      ? sql``
      : sql`where (${key}) > (${sql.join([...Object.values(after.scope), after.stepSeconds, after.dimension])})`;
  const { rows } = await sql<Record<string, string | number>>`
    select ${key} from gateway_log_rollups ${where} order by ${key} limit 1`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const scope = Object.fromEntries(scopeKeys.map((column) => [column, row[column]]));
  return {
    scope: scope as unknown as LogScope,
    stepSeconds: row.step_seconds as StepSeconds,
    dimension: row.dimension as Dimension,
  };
}

function isSameScope(one: LogScope, other: LogScope): boolean {
  return Object.values(one).join() === Object.values(other).join();
}

interface Doomed {
  /** Deletes sums that start before this time. */
  beforeMs: number;
  /** Deletes only sums of writers with smaller ids. */
  madeBefore?: string;
  limit: number;
}

/** Deletes the oldest sums of a series. Returns true if there may be more. */
async function deleteSome(
  tx: Transaction,
  { scope, stepSeconds, dimension }: Series,
  { beforeMs, madeBefore, limit }: Doomed,
): Promise<boolean> {
  const isDoomed = (where: ExpressionBuilder<Schema, 'gateway_log_rollups'>) =>
    where.and([
      where.and(scope),
      where('step_seconds', '=', stepSeconds),
      where('dimension', '=', dimension),
      where('start_at', '<', beforeMs),
      ...(madeBefore === undefined ? [] : [where('writer_id', '<', madeBefore)]),
    ]);
  // The start of the last row. Rows with the same start are deleted together.
  const last = await tx
    .selectFrom('gateway_log_rollups')
    .select('start_at')
    .where(isDoomed)
    .orderBy('start_at')
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  await tx
    .deleteFrom('gateway_log_rollups')
    .where(isDoomed)
    .where('start_at', '<=', last?.start_at ?? beforeMs)
    .execute();
  return last !== undefined;
}
