import type { Transaction } from '../../storage/schema.ts';

/** Where the lists of an account's tagged resources and of their changes end. */
export interface TagHead {
  /** The greatest place that a resource was given; 0 before the first. */
  lastSeq: number;
  /** The greatest position that a change was given; 0 before the first. */
  lastPosition: number;
}

/**
 * Makes every other change of the account's tags wait until the transaction ends, on all nodes. Whoever
 * changes tags begins with it: what is read from here on is what the change replaces, and no other lock
 * is needed.
 */
export async function lockTags(tx: Transaction, accountId: string): Promise<TagHead> {
  const row = await tx
    .insertInto('tag_heads')
    .values({ account_id: accountId, last_seq: 0, last_position: 0, purged_position: 0 })
    .onConflict((conflict) =>
      // Changes nothing: it is there to lock the row and to have it returned.
      conflict
        .column('account_id')
        .doUpdateSet((set) => ({ last_seq: set.ref('tag_heads.last_seq') })),
    )
    .returning(['last_seq', 'last_position'])
    .executeTakeFirstOrThrow();
  return { lastSeq: row.last_seq, lastPosition: row.last_position };
}

/** Notes the numbers that the transaction has given. */
export async function moveHead(tx: Transaction, accountId: string, head: TagHead): Promise<void> {
  await tx
    .updateTable('tag_heads')
    .set({ last_seq: head.lastSeq, last_position: head.lastPosition })
    .where('account_id', '=', accountId)
    .execute();
}
