import { sql } from 'kysely';
import type { Db, Transaction } from '../../storage/schema.ts';

/** The name of an account, or undefined when there is none of that id. */
export async function findAccountName(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

/**
 * Makes transactions that add things to one account wait for each other: the row of the account is
 * what they meet at. Without it, two of them could count at the same moment and both pass a limit.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    // Changes nothing: it is there to lock the row, in both dialects.
    .set({ name: sql.ref('name') })
    .where('id', '=', accountId)
    .execute();
}
