import type { Db, GatewayDeferredCallsTable, Transaction } from '../../storage/schema.ts';

/** A stored deferred call. */
export interface StoredDeferredCall {
  id: string;
  accountId: string;
  gatewayId: string;
  provider: string;
  /** The id that the provider uses. */
  externalId: string;
  /** The rest, encrypted: it contains the credential for the provider. */
  sealed: string;
  createdAtMs: number;
  nextPollAtMs: number;
}

const MAX_ROWS = 20;

function fromRow(row: GatewayDeferredCallsTable): StoredDeferredCall {
  return {
    id: row.id,
    accountId: row.account_id,
    gatewayId: row.gateway_id,
    provider: row.provider,
    externalId: row.external_id,
    sealed: row.sealed,
    createdAtMs: row.created_at,
    nextPollAtMs: row.next_poll_at,
  };
}

/** Stores a call until it is settled. */
export async function insertDeferredCall(tx: Transaction, call: StoredDeferredCall): Promise<void> {
  await tx
    .insertInto('gateway_deferred_calls')
    .values({
      id: call.id,
      account_id: call.accountId,
      gateway_id: call.gatewayId,
      provider: call.provider,
      external_id: call.externalId,
      sealed: call.sealed,
      created_at: call.createdAtMs,
      next_poll_at: call.nextPollAtMs,
    })
    .execute();
}

/** Lists the calls whose state is to be read, the longest overdue first. */
export async function listDueCalls(db: Db, nowMs: number): Promise<StoredDeferredCall[]> {
  const rows = await db
    .selectFrom('gateway_deferred_calls')
    .selectAll()
    .where('next_poll_at', '<=', nowMs)
    .orderBy('next_poll_at')
    .limit(MAX_ROWS)
    .execute();
  return rows.map(fromRow);
}

/** Finds the calls with an id of a provider, of any account: accounts may share a key of the operator. */
export async function findByExternalId(
  db: Db,
  provider: string,
  externalId: string,
): Promise<StoredDeferredCall[]> {
  const rows = await db
    .selectFrom('gateway_deferred_calls')
    .selectAll()
    .where('external_id', '=', externalId)
    .where('provider', '=', provider)
    .limit(MAX_ROWS)
    .execute();
  return rows.map(fromRow);
}

/**
 * Sets the time of the next poll, unless another node has done so.
 * @returns false: another node has the call, or it is over
 */
export async function postponeCall(
  tx: Transaction,
  { id, nextPollAtMs }: StoredDeferredCall,
  untilMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('gateway_deferred_calls')
    .set({ next_poll_at: untilMs })
    .where('id', '=', id)
    .where('next_poll_at', '=', nextPollAtMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Deletes a call that is settled.
 * @returns false: another node has settled it
 */
export async function deleteDeferredCall(tx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('gateway_deferred_calls')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes the calls of an account, or of one of its gateways: their budgets are gone. */
export async function deleteDeferredCalls(
  tx: Transaction,
  accountId: string,
  gatewayId?: string,
): Promise<void> {
  await tx
    .deleteFrom('gateway_deferred_calls')
    .where('account_id', '=', accountId)
    .$if(gatewayId !== undefined, (query) => query.where('gateway_id', '=', gatewayId ?? ''))
    .execute();
}
