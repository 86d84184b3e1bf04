import { sql } from 'kysely';
import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../logs/log-dialect.ts';
import type { AnalyticsOrder, Dimension, RollupQuery } from './analytics-query.ts';
import type { ValueRank } from './ranking.ts';
import { generationOf } from './rollup-buckets.ts';
import { ALL, METADATA_PREFIX, NO_VALUE } from './rollup-dimensions.ts';

type Column = keyof GatewayLogRollupsTable;

const RANKED_COLUMNS: Readonly<Record<AnalyticsOrder, readonly Column[]>> = {
  requests: ['requests'],
  errors: ['errors'],
  cost: ['cost_nano_usd'],
  tokens: ['tokens_in', 'tokens_out'],
};

/** How much there is of each value in a gateway, without the histograms. Uses the primary key. */
export async function rankRollups(
  db: Db,
  dialect: LogDialect,
  query: RollupQuery,
  orderBy: AnalyticsOrder,
): Promise<ValueRank[]> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return [];
  const isMetadata = isOfMetadata(query.dimension);
  const rows = await rollupsOf(db, scope, query, isMetadata)
    .select([
      'dimension',
      'value',
      (fn) => fn.fn.countAll<number>().as('rowCount'),
      sumOf(['requests']).as('requests'),
      sumOf(RANKED_COLUMNS[orderBy]).as('rank'),
    ])
    .groupBy(['dimension', 'value'])
    .execute();
  const ranks = rows.map(({ value, rank, rowCount }): ValueRank => ({ value, rank, rowCount }));
  const all = isMetadata ? rows.findIndex(({ dimension }) => dimension === ALL) : -1;
  const ofAll = rows[all];
  if (ofAll === undefined) return ranks;
  // What lacks the key is what is left of all.
  const leftOf = (column: 'requests' | 'rank'): number =>
    rows.toSpliced(all, 1).reduce((left, row) => left - row[column], ofAll[column]);
  const lacking = { value: NO_VALUE, rank: leftOf('rank'), rowCount: ofAll.rowCount };
  return ranks.toSpliced(all, 1, ...(leftOf('requests') > 0 ? [lacking] : []));
}

// In whole numbers it could be more than a database adds up.
function sumOf(columns: readonly Column[]) {
  const refs = columns.map((column) => sql.ref(column));
  return sql<number>`sum(cast(${sql.join(refs, sql` + `)} as double precision))`;
}

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

/** Whether it is one of which rows without a value are not counted. */
export function isOfMetadata(dimension: Dimension): boolean {
  return dimension.startsWith(METADATA_PREFIX);
}
