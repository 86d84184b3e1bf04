import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { AnalyticsOrder, RollupQuery } from './analytics-query.ts';
import type { ValueRank } from './ranking.ts';
import { ALL, MISSING, isOfMetadata } from '../rollups/rollup-dimensions.ts';
import { selectRollups, totalOf } from './select-rollups.ts';

const RANKED_COLUMNS: Readonly<Record<AnalyticsOrder, readonly (keyof GatewayLogRollupsTable)[]>> =
  {
    requests: ['requests'],
    errors: ['errors'],
    cost: ['cost_nano_usd'],
    tokens: ['tokens_in', 'tokens_out'],
  };

/** Sums up each value in a gateway, without the histograms. Uses the primary key. */
export async function rankRollups(
  db: Db,
  dialect: LogDialect,
  query: RollupQuery,
  orderBy: AnalyticsOrder,
): Promise<ValueRank[]> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return [];
  const isMetadata = isOfMetadata(query.dimension);
  const rows = await selectRollups(db, scope, query, isMetadata)
    .select([
      'dimension',
      'value',
      (fn) => fn.fn.countAll<number>().as('rowCount'),
      totalOf(['requests']).as('requests'),
      totalOf(RANKED_COLUMNS[orderBy]).as('rank'),
    ])
    .groupBy(['dimension', 'value'])
    .execute();
  const isAll = (row: { dimension: string }): boolean => isMetadata && row.dimension === ALL;
  const ofValues = rows.filter((row) => !isAll(row));
  // The sum of rows without the key is the rest of the total.
  const lacking = rows.filter(isAll).map((all) => ({
    value: MISSING,
    rowCount: all.rowCount,
    requests: ofValues.reduce((left, { requests }) => left - requests, all.requests),
    rank: ofValues.reduce((left, { rank }) => left - rank, all.rank),
  }));
  return [...ofValues, ...lacking.filter(({ requests }) => requests > 0)];
}
