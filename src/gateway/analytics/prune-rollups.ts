import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Transaction } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../logs/log-dialect.ts';
import type { Dimension, StepSeconds } from './analytics-query.ts';
import { generationOf } from './rollup-buckets.ts';

const DAY_MS = 86_400_000;

/** How long sums are kept at least, by the length of their stretch of time. */
export const KEPT_MS: Readonly<Record<StepSeconds, number>> = {
  60: 3 * DAY_MS,
  3_600: 100 * DAY_MS,
  86_400: 3_653 * DAY_MS,
};

// A few milliseconds of the embedded database, so that writers get their turn in between.
const ROWS_PER_PRUNE = 500;
const SERIES_PER_PRUNE = 100;

/** A gateway's sums of one length in one dimension: what the primary key begins with. */
interface Series {
  scope: LogScope;
  stepSeconds: StepSeconds;
  dimension: Dimension;
}

/** A series, or what comes before all of a gateway. */
type Position = Omit<Series, 'stepSeconds'> & { stepSeconds: number };

/** Deletes some sums that are too old; answers whether there may be more. */
export type PruneRollups = (tx: Transaction, nowMs: number) => Promise<boolean>;

/**
 * Makes what deletes the sums that are older than they are kept, a little with each call. It goes from
 * series to series, each of which takes one look into the primary key, and after the last begins anew.
 */
export function createPruneRollups(dialect: LogDialect): PruneRollups {
  // A transaction that is undone leaves out what it was at until the next round.
  let position: Series | undefined;
  return async (tx, nowMs) => {
    for (let seen = 0; seen < SERIES_PER_PRUNE; seen++) {
      const series = await nextSeries(tx, dialect, position);
      if (series === undefined) {
        position = undefined;
        return false;
      }
      // A question may begin within a stretch, and is answered from its begin on.
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

/** The first series after a place in the primary key. */
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
  /** Sums that begin before it. */
  beforeMs: number;
  /** Only those of writers whose ids sort before it. */
  madeBefore?: string;
  limit: number;
}

/** Deletes the oldest of a series; answers whether there may be more. */
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
  // Of the last of them; those that begin together go together.
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
