import type { Db } from '../storage/schema.ts';

/** The number of its latest log rows that a gateway keeps. */
export interface TrimmedGateway {
  accountId: string;
  gatewayId: string;
  maxRows: number;
}

/** Returns all gateways that delete their oldest logs beyond a limit. */
export async function listLogLimits(db: Db): Promise<TrimmedGateway[]> {
  const rows = await db
    .selectFrom('gateways')
    .select(['account_id', 'id', 'log_management'])
    .where('log_management', '>', 0)
    .where((where) =>
      where.or([
        where('log_management_strategy', '=', 'DELETE_OLDEST'),
        // The default.
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
