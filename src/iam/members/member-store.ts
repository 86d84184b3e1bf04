import { type SqlBool, sql } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { type Role, SUPER_ADMINISTRATOR } from '../roles.ts';
import { secondFactorColumn } from '../users/second-factor-column.ts';
import { deleteUnusedUsers } from '../users/unused-users.ts';
import { type MemberRef, findHeldRoles } from './held-roles.ts';

export type MemberStatus = 'accepted' | 'pending';

/** A person in an account, or one who is invited into it. */
export interface Member {
  accountId: string;
  id: string;
  status: MemberStatus;
  createdAtMs: number;
  roles: Role[];
  /** Undefined once the invitation was accepted. */
  invitationExpiresAtMs: number | undefined;
  /** Of a pending member: whether the link goes to the address and to nobody else. */
  isInvitationMailed: boolean;
  /** Of a pending member: whether there is a link that works, unless it has expired. */
  hasLink: boolean;
  /** The address that the account sees: of a pending member, as the inviter typed it. */
  shownEmail: string;
  user: {
    id: string;
    email: string;
    firstName: string | undefined;
    lastName: string | undefined;
    hasSecondFactor: boolean;
    /** An operator has locked the person out. */
    isLocked: boolean;
  };
}

/** What is stored of an invitation; its secret is in the link alone. */
export interface StoredInvitation {
  digest: string;
  expiresAtMs: number;
  /** Whether the link goes to the address and to nobody else. */
  isMailed: boolean;
  /** As the inviter typed it. */
  email: string;
}

export interface NewMember {
  accountId: string;
  id: string;
  userId: string;
  status: MemberStatus;
  createdAtMs: number;
  /** Slugs. */
  roles: readonly string[];
  invitation: StoredInvitation | undefined;
}

interface MemberRow {
  account_id: string;
  id: string;
  status: MemberStatus;
  created_at: number;
  invitation_expires_at: number | null;
  invitation_digest: string | null;
  invitation_mailed: 0 | 1;
  invited_email: string | null;
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  locked_at: number | null;
  has_second_factor: SqlBool;
}

function fromRow(row: MemberRow, held: Role[]): Member {
  return {
    accountId: row.account_id,
    id: row.id,
    status: row.status,
    createdAtMs: row.created_at,
    roles: held,
    invitationExpiresAtMs: row.invitation_expires_at ?? undefined,
    isInvitationMailed: row.invitation_mailed === 1,
    hasLink: row.invitation_digest !== null,
    shownEmail: row.invited_email ?? row.email,
    user: {
      id: row.user_id,
      email: row.email,
      firstName: row.first_name ?? undefined,
      lastName: row.last_name ?? undefined,
      hasSecondFactor: Boolean(row.has_second_factor),
      isLocked: row.locked_at !== null,
    },
  };
}

/** The members of an account with what is shown of the people. Uses the primary key. */
function selectMembers(db: Db, accountId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.account_id', '=', accountId);
}

const SHOWN_COLUMNS = [
  'members.account_id',
  'members.id',
  'members.status',
  'members.created_at',
  'members.invitation_expires_at',
  'members.invitation_digest',
  'members.invitation_mailed',
  'members.invited_email',
  'members.user_id',
  'users.email',
  'users.first_name',
  'users.last_name',
  'users.locked_at',
] as const;

export async function findMember(
  db: Db,
  accountId: string,
  memberId: string,
): Promise<Member | undefined> {
  const row = await selectMembers(db, accountId)
    .where('members.id', '=', memberId)
    .select(SHOWN_COLUMNS)
    .select(secondFactorColumn())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const held = await findHeldRoles(db, [{ accountId, id: memberId }]);
  return fromRow(row, held.get(memberId) ?? []);
}

/** Whether a person is a member of the account, or invited into it. Uses `members_account_user`. */
export async function isMember(db: Db, accountId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

const SORT_KEYS = {
  // By what is shown: not even the order tells the name of who has not accepted.
  'user.first_name': sql<string>`case members.status when 'accepted' then coalesce(users.first_name, '') else '' end`,
  'user.last_name': sql<string>`case members.status when 'accepted' then coalesce(users.last_name, '') else '' end`,
  'user.email': sql<string>`users.email_folded`,
  status: sql<string>`members.status`,
  created: sql<number>`members.created_at`,
};

export interface MemberListFilter {
  order: keyof typeof SORT_KEYS;
  direction: 'asc' | 'desc';
  /** Undefined for all. */
  status: MemberStatus | undefined;
}

/** One page of an account's members. */
export async function listMembers(
  db: Db,
  accountId: string,
  { order, direction, status }: MemberListFilter,
  page: PageRequest,
): Promise<{ members: Member[]; totalCount: number }> {
  let query = selectMembers(db, accountId);
  if (status !== undefined) query = query.where('members.status', '=', status);
  const rows = await query
    .select(SHOWN_COLUMNS)
    .select(secondFactorColumn())
    .orderBy(SORT_KEYS[order], direction)
    .orderBy('members.id', direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await query
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const held = await findHeldRoles(
    db,
    rows.map(({ id }) => ({ accountId, id })),
  );
  const members = rows.map((row) => fromRow(row, held.get(row.id) ?? []));
  return { members, totalCount: count };
}

/** The people who are members and have accepted. */
export async function listMemberUserIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'accepted')
    .execute();
  return rows.map((row) => row.user_id);
}

/** How many members an account has, and how many of them could still accept by a link. */
export async function countMembers(
  db: Db,
  accountId: string,
  nowMs: number,
): Promise<{ all: number; open: number }> {
  const { all, open } = await db
    .selectFrom('members')
    .where('account_id', '=', accountId)
    .select((select) => [
      select.fn.countAll<number>().as('all'),
      select.fn
        .countAll<number>()
        .filterWhere('status', '=', 'pending')
        .filterWhere('invitation_expires_at', '>', nowMs)
        .as('open'),
    ])
    .executeTakeFirstOrThrow();
  return { all, open };
}

/** How many Super Administrators of the account have accepted. */
export async function countSuperAdministrators(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('member_roles')
    .innerJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'member_roles.account_id')
        .onRef('members.id', '=', 'member_roles.member_id'),
    )
    .where('member_roles.account_id', '=', accountId)
    .where('member_roles.role', '=', SUPER_ADMINISTRATOR)
    .where('members.status', '=', 'accepted')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx
    .insertInto('members')
    .values({
      account_id: member.accountId,
      id: member.id,
      user_id: member.userId,
      status: member.status,
      created_at: member.createdAtMs,
      ...invitationColumns(member.invitation),
    })
    .execute();
  await insertRoles(tx, member, member.roles);
}

function invitationColumns(invitation: StoredInvitation | undefined) {
  return {
    invitation_digest: invitation?.digest ?? null,
    invitation_expires_at: invitation?.expiresAtMs ?? null,
    invitation_mailed: invitation?.isMailed === true ? (1 as const) : (0 as const),
    invited_email: invitation?.email ?? null,
  };
}

async function insertRoles(
  tx: Transaction,
  { accountId, id }: MemberRef,
  slugs: readonly string[],
): Promise<void> {
  const rows = slugs.map((role) => ({ account_id: accountId, member_id: id, role }));
  await tx.insertInto('member_roles').values(rows).execute();
}

/** @param slugs of roles, one at least */
export async function replaceRoles(
  tx: Transaction,
  member: MemberRef,
  slugs: readonly string[],
): Promise<void> {
  await deleteRoles(tx, member);
  await insertRoles(tx, member, slugs);
}

async function deleteRoles(tx: Transaction, { accountId, id }: MemberRef): Promise<void> {
  await tx
    .deleteFrom('member_roles')
    .where('account_id', '=', accountId)
    .where('member_id', '=', id)
    .execute();
}

/** Replaces the invitation of a pending member: the link that was sent before is worth nothing. */
export async function replaceInvitation(
  tx: Transaction,
  { accountId, id }: MemberRef,
  invitation: StoredInvitation,
): Promise<void> {
  await tx
    .updateTable('members')
    .set(invitationColumns(invitation))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Makes the link of a pending member worth nothing; the invitation stays, and can be renewed. */
export async function revokeLink(tx: Transaction, { accountId, id }: MemberRef): Promise<void> {
  await tx
    .updateTable('members')
    .set({ invitation_digest: null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Makes a pending member an accepted one; the link works no more. */
export async function markAccepted(tx: Transaction, { accountId, id }: MemberRef): Promise<void> {
  await tx
    .updateTable('members')
    .set({ status: 'accepted', ...invitationColumns(undefined) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Ends a membership; who was only ever invited is forgotten. */
export async function deleteMember(tx: Transaction, member: Member): Promise<void> {
  const { accountId, id, user } = member;
  await deleteRoles(tx, member);
  await tx.deleteFrom('members').where('account_id', '=', accountId).where('id', '=', id).execute();
  if (member.status === 'pending') await deleteUnusedUsers(tx, [user.id]);
}

/**
 * Ends every membership of an account.
 * @returns the people who had accepted
 */
export async function deleteMembersOfAccount(
  tx: Transaction,
  accountId: string,
): Promise<string[]> {
  await tx.deleteFrom('member_roles').where('account_id', '=', accountId).execute();
  const rows = await tx
    .deleteFrom('members')
    .where('account_id', '=', accountId)
    .returning(['user_id', 'status'])
    .execute();
  const idsOf = (status: MemberStatus): string[] =>
    rows.filter((row) => row.status === status).map((row) => row.user_id);
  await deleteUnusedUsers(tx, idsOf('pending'));
  return idsOf('accepted');
}
