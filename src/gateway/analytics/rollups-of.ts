import type { Db } from '../../storage/schema.ts';
import type { LogScope } from '../logs/log-dialect.ts';
import type { RollupQuery } from './analytics-query.ts';
import { generationOf } from './rollup-buckets.ts';
import { ALL } from './rollup-dimensions.ts';

/**
 * The rows of sums of a gateway: uses the primary key.
 * @param withAll also those of all, in one statement, so that both are of the same moment
 */
export function rollupsOf(
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
