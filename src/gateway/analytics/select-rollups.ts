import { sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogScope } from '../logs/log-dialect.ts';
import type { RollupQuery } from './analytics-query.ts';
import { generationOf } from './rollup-buckets.ts';
import { ALL } from './rollup-dimensions.ts';

/**
 * The rows of sums of a gateway: uses the primary key.
 * @param withAll also those of all, in one statement, so that both are of the same moment
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

/** Numbers of many rows added up. In whole numbers it could be more than a database adds up. */
export function totalOf(columns: readonly (keyof GatewayLogRollupsTable)[]) {
  const refs = columns.map((column) => sql.ref(column));
  return sql<number>`sum(cast(${sql.join(refs, sql` + `)} as double precision))`;
}
