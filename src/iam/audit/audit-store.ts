import { setImmediate as nextTurn } from 'node:timers/promises';
import { RowStatement, insertInto } from '../../storage/row-statement.ts';
import type { Transaction } from '../../storage/schema.ts';
import { type AuditRow, GENESIS_HASH, chainHash } from './audit-chain.ts';

/** A row that has no place in its chain yet. */
export type UnlinkedRow = Omit<AuditRow, 'chain_id' | 'seq' | 'hash'>;

// Of 27 columns, which is far from what a statement may have: 32,766 parameters on SQLite, 65,535 on
// PostgreSQL. To link so many takes some ms when they are long.
const ROWS_PER_STATEMENT = 64;

// Named one by one in a record, so that none can be missing.
const COLUMNS = Object.keys({
  chain_id: true,
  seq: true,
  id: true,
  created_at: true,
  account_name: true,
  action_type: true,
  action_result: true,
  action_description: true,
  actor_type: true,
  actor_id: true,
  actor_email: true,
  actor_ip_address: true,
  actor_token_id: true,
  actor_token_name: true,
  actor_context: true,
  resource_type: true,
  resource_id: true,
  resource_product: true,
  resource_scope: true,
  request_id: true,
  request_method: true,
  request_uri: true,
  request_status_code: true,
  request_user_agent: true,
  hash: true,
  resource_request: true,
  resource_response: true,
} satisfies Record<keyof AuditRow, true>) as (keyof AuditRow)[];

const insertRows = new RowStatement(COLUMNS.length, (rows) =>
  insertInto('audit_logs', COLUMNS, rows),
);

/**
 * Appends rows to a chain, in their order; rows of one chain wait for each other until the transaction
 * ends. Append last in a transaction, and to several chains in the order of their ids, so that no two
 * wait in a ring.
 */
export async function appendToChain(
  tx: Transaction,
  chainId: string,
  rows: readonly UnlinkedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const head = await moveHead(tx, chainId, rows.length);
  let { hash } = head;
  let seq = head.seq - rows.length;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    if (start > 0) await nextTurn();
    const linked = rows.slice(start, start + ROWS_PER_STATEMENT).map((row) => {
      seq++;
      const placed = { ...row, chain_id: chainId, seq };
      hash = chainHash(hash, placed);
      const whole: AuditRow = { ...placed, hash };
      return COLUMNS.map((column) => whole[column]);
    });
    await insertRows.run(tx, linked);
  }
  await tx.updateTable('audit_heads').set({ hash }).where('chain_id', '=', chainId).execute();
}

/** Takes the next places in a chain: the number of the last one, and the hash of the row before them. */
async function moveHead(
  tx: Transaction,
  chainId: string,
  places: number,
): Promise<{ seq: number; hash: string }> {
  // One statement, so that two nodes which begin a chain at once agree on its first row.
  return tx
    .insertInto('audit_heads')
    .values({ chain_id: chainId, seq: places, hash: GENESIS_HASH })
    .onConflict((conflict) =>
      conflict
        .column('chain_id')
        .doUpdateSet((set) => ({ seq: set('audit_heads.seq', '+', places) })),
    )
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
}
