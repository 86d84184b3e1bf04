import type { Transaction } from '../../storage/schema.ts';
import { leastUuidV7 } from '../../lib/ids.ts';
import { purgeGatewayRollups } from '../rollups/prune-rollups.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { ROWS_PER_DELETE, deleteOldest } from './delete-entries.ts';
import { lockGateway } from './gateway-counts.ts';

/**
 * Deletes some logs and counts of a deleted account.
 * @returns true if there may be more
 */
export async function purgeAccountLogs(
  tx: Transaction,
  dialect: LogDialect,
  accountId: string,
): Promise<boolean> {
  const gateway = await tx
    .selectFrom('gateway_log_gateways')
    .selectAll()
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (gateway === undefined) return false;
  const { gateway_id: gatewayId } = gateway;
  const scope =
    dialect.name === 'sqlite'
      ? { gateway_key: gateway.gateway_key }
      : { account_id: accountId, gateway_id: gatewayId };
  if (!(await purgeScope(tx, dialect, scope, NEVER_MS))) await forgetGateway(tx, scope);
  return true;
}

/**
 * Deletes some logs of a gateway before a time, and the sums of earlier gateways with the same id.
 * @returns true if there may be more
 */
export async function purgeGatewayLogs(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  beforeMs: number,
): Promise<boolean> {
  if (await purgeScope(tx, dialect, scope, beforeMs)) return true;
  if ((await lockGateway(tx, dialect, scope)) > 0) return false;
  const sums = await tx
    .selectFrom('gateway_log_rollups')
    .select('writer_id')
    .where((where) => where.and(scope))
    .limit(1)
    .executeTakeFirst();
  if (sums === undefined) await forgetGateway(tx, scope);
  return false;
}

// The greatest time of an id.
const NEVER_MS = 2 ** 48 - 1;

/** Deletes some rows, or if there are none, some sums. */
async function purgeScope(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  beforeMs: number,
): Promise<boolean> {
  const before = dialect.toColumn(leastUuidV7(beforeMs));
  const deleted = await deleteOldest(tx, dialect, scope, { limit: ROWS_PER_DELETE, before });
  return (
    deleted > 0 || purgeGatewayRollups(tx, dialect, scope, { beforeMs, limit: ROWS_PER_DELETE })
  );
}

/** Deletes the contexts and the counts of a gateway without rows. */
async function forgetGateway(tx: Transaction, scope: LogScope): Promise<void> {
  for (const table of ['gateway_log_contexts', 'gateway_log_gateways'] as const) {
    await tx
      .deleteFrom(table)
      .where((where) => where.and(scope))
      .execute();
  }
}

/**
 * Deletes some rows on SQLite that are older than a time.
 * @returns true if there may be more
 */
export async function purgeOlderLogs(
  tx: Transaction,
  dialect: LogDialect,
  beforeMs: number,
): Promise<boolean> {
  const before = dialect.toColumn(leastUuidV7(beforeMs));
  const gateway = await tx
    .selectFrom('gateway_log_gateways')
    .select('gateway_key')
    .where((where) =>
      where.exists(
        where
          .selectFrom('gateway_log_entries')
          .select('id')
          .whereRef('gateway_log_entries.gateway_key', '=', 'gateway_log_gateways.gateway_key')
          .where('id', '<', before),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  if (gateway === undefined) return false;
  await deleteOldest(tx, dialect, gateway, { limit: ROWS_PER_DELETE, before });
  return true;
}

/**
 * Deletes some of the oldest rows of a gateway beyond its limit.
 * @returns true if there may be more
 */
export async function trimGatewayLogs(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
  maxRows: number,
): Promise<boolean> {
  const surplus = (await lockGateway(tx, dialect, scope)) - maxRows;
  if (surplus <= 0) return false;
  await deleteOldest(tx, dialect, scope, { limit: Math.min(surplus, ROWS_PER_DELETE) });
  return surplus > ROWS_PER_DELETE;
}
