import type { Transaction } from '../../storage/schema.ts';
import { type AuditRow, GENESIS_HASH, chainHash } from './audit-chain.ts';

/**
 * Appends a row to its chain; rows of one chain wait for each other until the transaction ends. Append
 * last in a transaction, and to several chains in the order of their ids, so that no two wait in a ring.
 */
export async function appendAuditRow(
  tx: Transaction,
  row: Omit<AuditRow, 'seq' | 'hash'>,
): Promise<void> {
  const head = await lockHead(tx, row.chain_id);
  const linked = { ...row, seq: head.seq };
  const hash = chainHash(head.hash, linked);
  await tx
    .insertInto('audit_logs')
    .values({ ...linked, hash })
    .execute();
  await tx.updateTable('audit_heads').set({ hash }).where('chain_id', '=', row.chain_id).execute();
}

/** Takes the next place in a chain: its number, and the hash of the row before. */
async function lockHead(tx: Transaction, chainId: string): Promise<{ seq: number; hash: string }> {
  // One statement, so that two nodes which begin a chain at once agree on its first row.
  return tx
    .insertInto('audit_heads')
    .values({ chain_id: chainId, seq: 1, hash: GENESIS_HASH })
    .onConflict((conflict) =>
      conflict.column('chain_id').doUpdateSet((set) => ({ seq: set('audit_heads.seq', '+', 1) })),
    )
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
}
