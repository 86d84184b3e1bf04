import { sql } from 'kysely';
import type { Transaction } from '../../storage/schema.ts';

/** Makes transactions that change what belongs to one person wait for each other. */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    // Changes nothing: it is there to lock the row, in both dialects.
    .set({ email: sql.ref('email') })
    .where('id', '=', userId)
    .execute();
}
