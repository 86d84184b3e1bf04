import type { Db, Transaction } from '../../storage/schema.ts';

/** A gateway whose logs are not yet purged. */
export interface DeletedGateway {
  accountId: string;
  id: string;
  deletedAtMs: number;
}

// The next round continues.
const MAX_GATEWAYS_PER_ROUND = 1_000;

/** Stores the deletion of a gateway. A later deletion of the same id replaces it. */
export async function noteDeletedGateway(
  tx: Transaction,
  { accountId, id, deletedAtMs }: DeletedGateway,
): Promise<void> {
  await tx
    .insertInto('deleted_gateways')
    .values({ account_id: accountId, gateway_id: id, deleted_at: deletedAtMs })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'gateway_id']).doUpdateSet({ deleted_at: deletedAtMs }),
    )
    .execute();
}

/** Returns the gateways that were deleted first. Scans the table, whose rows stay for an hour. */
export async function listDeletedGateways(db: Db): Promise<DeletedGateway[]> {
  const rows = await db
    .selectFrom('deleted_gateways')
    .selectAll()
    .orderBy('deleted_at')
    .limit(MAX_GATEWAYS_PER_ROUND)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.gateway_id,
    deletedAtMs: row.deleted_at,
  }));
}

/** Removes the row, unless another gateway with this id has been deleted since. */
export async function forgetDeletedGateway(
  tx: Transaction,
  { accountId, id, deletedAtMs }: DeletedGateway,
): Promise<void> {
  await tx
    .deleteFrom('deleted_gateways')
    .where('account_id', '=', accountId)
    .where('gateway_id', '=', id)
    .where('deleted_at', '=', deletedAtMs)
    .execute();
}
