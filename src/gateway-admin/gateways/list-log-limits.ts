import type { Db } from '../../storage/schema.ts';

/** How many of its latest log rows a gateway keeps. */
export interface TrimmedGateway {
  accountId: string;
  gatewayId: string;
  maxRows: number;
}

/** Every gateway of every account that deletes the oldest of its logs when there are too many. */
export async function listLogLimits(db: Db): Promise<TrimmedGateway[]> {
  const rows = await db
    .selectFrom('gateways')
    .select(['account_id', 'id', 'log_management'])
    .where('log_management', '>', 0)
    .where((where) =>
      where.or([
        where('log_management_strategy', '=', 'DELETE_OLDEST'),
        // What is done when nobody says otherwise.
        where('log_management_strategy', 'is', null),
      ]),
    )
    .execute();
  return rows.map(({ account_id: accountId, id, log_management: maxRows }) => ({
    accountId,
    gatewayId: id,
    maxRows: maxRows ?? 0,
  }));
}
