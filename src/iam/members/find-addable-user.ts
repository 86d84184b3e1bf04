import { apiError } from '../../http/errors.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import { type Principal, accountsOf, holds } from '../principal.ts';
import { type Role, SUPER_ADMINISTRATOR } from '../roles.ts';
import { type User, findUserByEmail } from '../users/user-store.ts';

/**
 * Nobody is made to decide over an account without having agreed to it.
 * @throws ApiError 3029
 */
export function checkAddableRoles(roles: readonly Role[]): void {
  if (roles.some(({ slug }) => slug === SUPER_ADMINISTRATOR)) throw needsInvitation();
}

/**
 * The person with the address, who may be added to an account without being asked: a member of some
 * account in which the caller manages members. For all others, and for nobody, the refusal is the
 * same, so that it does not tell who exists.
 *
 * Somebody else may have taken the address for theirs before its owner ever came: without the proof,
 * that person would get what is meant for the owner.
 * @throws ApiError 3029
 */
export async function findAddableUser(
  tx: Transaction,
  principal: Principal,
  email: string,
): Promise<User> {
  const managed = accountsOf(principal).filter((accountId) =>
    holds(principal, 'members.write', { accountId }),
  );
  const user = await findUserByEmail(tx, email);
  if (user?.emailVerifiedAtMs === undefined) throw needsInvitation();
  if (!(await isInSomeAccount(tx, user.id, managed))) throw needsInvitation();
  return user;
}

function needsInvitation(): Error {
  return apiError(iamErrors.needsInvitation, { pointer: '/status' });
}

/** Whether a person is an accepted member of one of the accounts. Uses `members_user`. */
async function isInSomeAccount(
  db: Db,
  userId: string,
  accountIds: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('members.id')
    .where('members.user_id', '=', userId)
    .where('members.status', '=', 'accepted')
    .where('members.account_id', 'in', accountIds)
    .where('accounts.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
