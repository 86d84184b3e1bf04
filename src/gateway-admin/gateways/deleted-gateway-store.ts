import type { Db, Transaction } from '../../storage/schema.ts';

/** A gateway whose logs are still to be purged. */
export interface DeletedGateway {
  accountId: string;
  id: string;
  deletedAtMs: number;
}

// What a round does not get to, the next one does.
const MAX_GATEWAYS_PER_ROUND = 1_000;

/** Notes a gateway's end; the last one counts. */
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

/** Those that were deleted first. Walks the table: they are forgotten after an hour. */
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

/** Forgets a gateway, unless another of its id has been deleted since. */
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
