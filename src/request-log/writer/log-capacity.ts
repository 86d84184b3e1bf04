import type { Transaction } from '../../storage/schema.ts';
import type { BatchGateway } from '../threads/log-batch.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { countGateways } from './gateway-counts.ts';

/** The number of rows that a gateway can still store. */
export interface Capacity {
  scope: LogScope;
  rows: number;
}

// Other nodes write fewer rows than this at the same time.
const BAND_ROWS = 20_000;

/**
 * Returns how many rows each gateway can still store. If one of them is near its limit, locks all of them in their order,
 * because several nodes together could exceed the limit.
 */
export async function findCapacity(
  tx: Transaction,
  dialect: LogDialect,
  gateways: readonly BatchGateway[],
): Promise<Capacity[]> {
  const lock = () =>
    countGateways(
      tx,
      dialect,
      gateways.map(({ accountId, gatewayId }) => ({ accountId, gatewayId, added: 0 })),
    );
  // SQLite has one writer, and the key of a gateway is only in its row.
  if (dialect.name === 'sqlite' || (await isNearLimit(tx, gateways))) {
    return (await lock()).map(({ scope, logCount }, index) => ({
      scope,
      rows: capacityOf(gateways[index] as BatchGateway, logCount),
    }));
  }
  return gateways.map(({ accountId, gatewayId }) => ({
    scope: { account_id: accountId, gateway_id: gatewayId },
    rows: Infinity,
  }));
}

function capacityOf({ limit }: BatchGateway, logCount: number): number {
  if (limit?.strategy !== 'STOP_INSERTING') return Infinity;
  return Math.max(0, limit.maxRows - logCount);
}

/** Returns true if one of the gateways may reach its limit with this batch. */
async function isNearLimit(tx: Transaction, gateways: readonly BatchGateway[]): Promise<boolean> {
  for (const { accountId, gatewayId, limit, records } of gateways) {
    if (limit?.strategy !== 'STOP_INSERTING') continue;
    const row = await tx
      .selectFrom('gateway_log_gateways')
      .select('log_count')
      .where('account_id', '=', accountId)
      .where('gateway_id', '=', gatewayId)
      .executeTakeFirst();
    if ((row?.log_count ?? 0) + records.length + BAND_ROWS > limit.maxRows) return true;
  }
  return false;
}
