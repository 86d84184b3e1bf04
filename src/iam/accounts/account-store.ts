import type { Db } from '../../storage/schema.ts';

/** The name of an account, or undefined when there is none of that id. */
export async function findAccountName(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}
