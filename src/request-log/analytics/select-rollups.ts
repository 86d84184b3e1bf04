import { sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogScope } from '../log-dialect.ts';
import type { RollupQuery } from './analytics-query.ts';
import { generationOf } from '../rollups/rollup-buckets.ts';
import { ALL } from '../rollups/rollup-dimensions.ts';

/**
 * Selects the rows of sums of a gateway by the primary key.
 * @param withAll also selects the totals, in one statement, so that both belong to the same state
 */
export function selectRollups(
  db: Db,
  scope: LogScope,
  { createdAtMs, dimension, stepSeconds, sinceMs, untilMs }: RollupQuery,
  withAll: boolean,
) {
  return db
    .selectFrom('gateway_log_rollups')
    .where((where) => where.and(scope))
    .where('step_seconds', '=', stepSeconds)
    .where('dimension', 'in', withAll ? [ALL, dimension] : [dimension])
    .where('start_at', '>=', sinceMs)
    .where('start_at', '<', untilMs)
    .where('writer_id', '>=', generationOf(createdAtMs))
    .where('writer_id', '<', generationOf(createdAtMs + 1));
}

/** Sums a column as floating point, because the sum of integers may overflow in a database. */
export function totalOf(columns: readonly (keyof GatewayLogRollupsTable)[]) {
  const refs = columns.map((column) => sql.ref(column));
  return sql<number>`sum(cast(${sql.join(refs, sql` + `)} as double precision))`;
}
