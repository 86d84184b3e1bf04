import { type Selectable, sql } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { AccountsTable, Db } from '../../storage/schema.ts';
import { type Account, accountFromRow } from '../accounts/account-store.ts';
import { findHeldRoles } from '../members/held-roles.ts';
import type { MemberStatus } from '../members/member-store.ts';
import type { Role } from '../roles.ts';

/** The membership of a user in an account, or an invitation. Its id is that of the member. */
export interface Membership {
  id: string;
  status: MemberStatus;
  account: Account;
  roles: Role[];
  /** Creation of the member. */
  createdAtMs: number;
  /** Undefined unless the membership is pending. */
  invitationExpiresAtMs: number | undefined;
}

const MEMBER_COLUMNS = [
  'members.id as member_id',
  'members.status',
  'members.created_at as member_created_at',
  'members.invitation_expires_at',
] as const;

interface MembershipRow extends Selectable<AccountsTable> {
  member_id: string;
  status: MemberStatus;
  member_created_at: number;
  invitation_expires_at: number | null;
}

function fromRow(row: MembershipRow, held: Role[]): Membership {
  return {
    id: row.member_id,
    status: row.status,
    account: accountFromRow(row),
    roles: held,
    createdAtMs: row.member_created_at,
    invitationExpiresAtMs: row.invitation_expires_at ?? undefined,
  };
}

/** Selects the memberships of a user in accounts that exist. Uses `members_user`. */
function selectMemberships(db: Db, userId: string) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .where('members.user_id', '=', userId)
    .where('accounts.deleted_at', 'is', null);
}

async function withRoles(db: Db, rows: readonly MembershipRow[]): Promise<Membership[]> {
  const held = await findHeldRoles(
    db,
    rows.map((row) => ({ accountId: row.id, id: row.member_id })),
  );
  return rows.map((row) => fromRow(row, held.get(row.member_id) ?? []));
}

export async function findMembership(
  db: Db,
  userId: string,
  memberId: string,
): Promise<Membership | undefined> {
  const rows = await selectMemberships(db, userId)
    .where('members.id', '=', memberId)
    .selectAll('accounts')
    .select(MEMBER_COLUMNS)
    .execute();
  const [membership] = await withRoles(db, rows);
  return membership;
}

/** Counts the accounts in which a user is an accepted member. Uses `members_user`. */
export async function countAcceptedMemberships(db: Db, userId: string): Promise<number> {
  const { count } = await selectMemberships(db, userId)
    .where('members.status', '=', 'accepted')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const SORT_KEYS = {
  id: sql<string>`members.id`,
  'account.name': sql<string>`accounts.name`,
  status: sql<string>`members.status`,
};

export interface MembershipListFilter {
  /** Only in these. Default: all. */
  accountIds?: readonly string[] | undefined;
  /** Exactly these names of the account; empty for all. */
  names: readonly string[];
  /** Undefined for all. */
  status: MemberStatus | undefined;
  order: keyof typeof SORT_KEYS;
  direction: 'asc' | 'desc';
}

/** Returns one page of a user's memberships. */
export async function listMemberships(
  db: Db,
  userId: string,
  { accountIds, names, status, order, direction }: MembershipListFilter,
  page: PageRequest,
): Promise<{ memberships: Membership[]; totalCount: number }> {
  let query = selectMemberships(db, userId);
  if (accountIds !== undefined) query = query.where('accounts.id', 'in', accountIds);
  for (const name of names) query = query.where('accounts.name', '=', name);
  if (status !== undefined) query = query.where('members.status', '=', status);
  const rows = await query
    .selectAll('accounts')
    .select(MEMBER_COLUMNS)
    .orderBy(SORT_KEYS[order], direction)
    .orderBy('members.id', direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { memberships: await withRoles(db, rows), totalCount: count };
}
