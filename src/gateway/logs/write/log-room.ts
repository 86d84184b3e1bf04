import type { Transaction } from '../../../storage/schema.ts';
import type { BatchGateway } from '../threads/log-batch.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { countGateways } from './gateway-counts.ts';

/** What a gateway has room for. */
export interface Room {
  scope: LogScope;
  rows: number;
}

// Below a limit by more than this, what other nodes write at the same time does not reach it.
const BAND_ROWS = 20_000;

/**
 * How many rows each gateway still takes. Where it matters, this locks all of the gateways at once, in
 * their order: otherwise several nodes together could write more than one of them takes.
 */
export async function findRoom(
  tx: Transaction,
  dialect: LogDialect,
  gateways: readonly BatchGateway[],
): Promise<Room[]> {
  const lock = () =>
    countGateways(
      tx,
      dialect,
      gateways.map(({ accountId, gatewayId }) => ({ accountId, gatewayId, added: 0 })),
    );
  // The embedded database has one writer; and only the row of a gateway knows its number there.
  if (dialect.name === 'sqlite' || (await isNearLimit(tx, gateways))) {
    return (await lock()).map(({ scope, logCount }, index) => ({
      scope,
      rows: roomOf(gateways[index] as BatchGateway, logCount),
    }));
  }
  return gateways.map(({ accountId, gatewayId }) => ({
    scope: { account_id: accountId, gateway_id: gatewayId },
    rows: Infinity,
  }));
}

function roomOf({ limit }: BatchGateway, logCount: number): number {
  if (limit?.strategy !== 'STOP_INSERTING') return Infinity;
  return Math.max(0, limit.maxRows - logCount);
}

/** Whether one of them may be full before the batch is written. */
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
