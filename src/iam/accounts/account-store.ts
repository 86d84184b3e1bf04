import { type Selectable, sql } from 'kysely';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { AccountsTable, Db, Transaction } from '../../storage/schema.ts';
import { SUPER_ADMINISTRATOR } from '../roles.ts';

/** An account as the rest of the code sees it. */
export interface Account {
  id: string;
  name: string;
  createdAtMs: number;
  /** Members without a second factor hold nothing in it. */
  enforceTwoFactor: boolean;
  abuseContactEmail: string | undefined;
}

/** What of an account can be changed. */
export type AccountSettings = Omit<Account, 'id' | 'createdAtMs'>;

/** @param row may hold more */
export function accountFromRow(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    createdAtMs: row.created_at,
    enforceTwoFactor: row.enforce_twofactor === 1,
    abuseContactEmail: row.abuse_contact_email ?? undefined,
  };
}

function toColumns(account: AccountSettings) {
  return {
    name: account.name,
    enforce_twofactor: account.enforceTwoFactor ? (1 as const) : (0 as const),
    abuse_contact_email: account.abuseContactEmail ?? null,
  };
}

/** An account, or undefined when there is none of that id, or none any more. */
export async function findAccount(db: Db, accountId: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? undefined : accountFromRow(row);
}

/** The name of an account, or undefined when there is none of that id, or none any more. */
export async function findAccountName(db: Db, accountId: string): Promise<string | undefined> {
  return (await findAccount(db, accountId))?.name;
}

/** The name of an account as the audit log tells it: also in the row that tells of its end. */
export async function findLastAccountName(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

export interface AccountListFilter {
  /** Only these. */
  ids: readonly string[];
  /** Exactly this name; undefined for all. */
  name: string | undefined;
  /** By name. */
  direction: 'asc' | 'desc';
}

/** One page of the accounts that a caller can see. Uses the primary key. */
export async function listAccounts(
  db: Db,
  { ids, name, direction }: AccountListFilter,
  page: PageRequest,
): Promise<{ accounts: Account[]; totalCount: number }> {
  if (ids.length === 0) return { accounts: [], totalCount: 0 };
  let query = db.selectFrom('accounts').where('id', 'in', ids).where('deleted_at', 'is', null);
  if (name !== undefined) query = query.where('name', '=', name);
  const rows = await query
    .selectAll()
    .orderBy('name', direction)
    .orderBy('id', direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { accounts: rows.map(accountFromRow), totalCount: count };
}

/**
 * Makes transactions that add things to one account wait for each other: the row of the account is
 * what they meet at. Without it, two of them could count at the same moment and both pass a limit.
 * @throws ApiError 403 when the account was deleted since the caller was let in
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    // Changes nothing: it is there to lock the row, in both dialects.
    .set({ name: sql.ref('name') })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw apiError(httpErrors.forbidden);
}

export async function insertAccount(tx: Transaction, account: Account): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({ id: account.id, created_at: account.createdAtMs, ...toColumns(account) })
    .execute();
}

export async function updateAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.updateTable('accounts').set(toColumns(account)).where('id', '=', account.id).execute();
}

/** In how many accounts a person is Super Administrator. Uses `members_user`. */
export async function countAdministeredAccounts(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .innerJoin('member_roles', (join) =>
      join
        .onRef('member_roles.account_id', '=', 'members.account_id')
        .onRef('member_roles.member_id', '=', 'members.id'),
    )
    .where('members.user_id', '=', userId)
    .where('members.status', '=', 'accepted')
    .where('member_roles.role', '=', SUPER_ADMINISTRATOR)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

// Names a row of the table `installation`.
const DELETION_LOCK = 'account_deletion';

/** Whether there is another account, which stays: deletions wait for each other here. */
export async function lockDeletionsAndFindOther(
  tx: Transaction,
  accountId: string,
): Promise<boolean> {
  await tx
    .insertInto('installation')
    .values({ name: DELETION_LOCK, value: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
    .execute();
  const other = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '<>', accountId)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** From the commit on, nobody finds the account. Its row stays until its bulk is gone. */
export async function markAccountDeleted(
  tx: Transaction,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await tx.updateTable('accounts').set({ deleted_at: nowMs }).where('id', '=', accountId).execute();
}

/** The accounts whose bulk may still be there, the longest deleted first. They are few. */
export async function listDeletedAccounts(db: Db): Promise<{ id: string; deletedAtMs: number }[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .execute();
  return rows.map((row) => ({ id: row.id, deletedAtMs: row.deleted_at ?? 0 }));
}

export async function deleteAccountRow(tx: Transaction, accountId: string): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
}
