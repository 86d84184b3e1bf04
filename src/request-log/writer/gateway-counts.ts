import { type Selectable, sql } from 'kysely';
import type { GatewayLogGatewaysTable } from '../../storage/log-tables.ts';
import { RowStatement, insertInto } from '../../storage/row-statement.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';

/** A change of the count of a gateway. */
export interface GatewayCount {
  accountId: string;
  gatewayId: string;
  /** Number of added rows. */
  added: number;
}

/** The counts of a gateway. */
export interface CountedGateway {
  scope: LogScope;
  logCount: number;
}

const COLUMNS = [
  'account_id',
  'gateway_id',
  'log_count',
] as const satisfies readonly (keyof GatewayLogGatewaysTable)[];

/** Prepared, because each batch uses it twice. */
const addToCounts = new RowStatement<Selectable<GatewayLogGatewaysTable>>(
  COLUMNS.length,
  (rows) => sql`${insertInto('gateway_log_gateways', COLUMNS, rows)}
    on conflict (account_id, gateway_id)
    do update set log_count = gateway_log_gateways.log_count + excluded.log_count
    returning *`,
);

/**
 * Adds to the counts of gateways, and locks them until the end of the transaction. Every transaction that changes counts of
 * contexts or deletes rows does this first. All nodes lock gateways in the same order.
 * @param gateways sorted by account and id
 * @returns the gateways in the same order
 */
export async function countGateways(
  tx: Transaction,
  dialect: LogDialect,
  gateways: readonly GatewayCount[],
): Promise<CountedGateway[]> {
  if (gateways.length === 0) return [];
  const rows = await addToCounts.runInParts(
    tx,
    gateways.map(({ accountId, gatewayId, added }) => [accountId, gatewayId, added]),
  );
  const byName = new Map(rows.map((row) => [`${row.account_id} ${row.gateway_id}`, row]));
  return gateways.map(({ accountId, gatewayId }) => {
    const row = byName.get(`${accountId} ${gatewayId}`);
    if (row === undefined) throw new Error(`the gateway ${gatewayId} was not counted`);
    return { scope: scopeOf(dialect, row), logCount: row.log_count };
  });
}

function scopeOf(
  dialect: LogDialect,
  row: { gateway_key: number; account_id: string; gateway_id: string },
): LogScope {
  if (dialect.name === 'sqlite') return { gateway_key: row.gateway_key };
  return { account_id: row.account_id, gateway_id: row.gateway_id };
}

/**
 * Locks a gateway as {@link countGateways} does.
 * @returns its number of rows
 */
export async function lockGateway(
  tx: Transaction,
  dialect: LogDialect,
  scope: LogScope,
): Promise<number> {
  const query = tx
    .selectFrom('gateway_log_gateways')
    .select('log_count')
    .where((where) => where.and(scope));
  const locked = dialect.name === 'sqlite' ? query : query.forUpdate();
  return (await locked.executeTakeFirst())?.log_count ?? 0;
}

/** Subtracts from the count of a locked gateway. */
export async function uncountGateway(
  tx: Transaction,
  scope: LogScope,
  removed: number,
): Promise<void> {
  await tx
    .updateTable('gateway_log_gateways')
    .set((set) => ({ log_count: set('log_count', '-', removed) }))
    .where((where) => where.and(scope))
    .execute();
}
