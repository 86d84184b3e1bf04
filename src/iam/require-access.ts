import { unavailable } from '../http/errors.ts';
import type { Db } from '../storage/schema.ts';
import { type Principal, userOf } from './principal.ts';
import { type AccountMembership, type UserAccess, loadUserAccess } from './users/user-access.ts';

/**
 * Checks, in the transaction of a change, that the person behind a request has lost nothing since the
 * access check: a membership or a role may have ended while the request waited for its turn.
 * @throws ApiError 503; the next request meets the access check as it is then
 */
export async function requireAccess(db: Db, principal: Principal): Promise<void> {
  const before = userOf(principal);
  if (before === undefined) return;
  const now = await loadUserAccess(db, before.id);
  if (now === undefined || before.memberships.some((membership) => isLess(now, membership))) {
    throw unavailable('what you may do has just changed');
  }
}

function isLess({ memberships }: UserAccess, before: AccountMembership): boolean {
  const now = memberships.find(({ memberId }) => memberId === before.memberId);
  if (now === undefined) return true;
  if (now.lacksSecondFactor && !before.lacksSecondFactor) return true;
  return before.roles.some((role) => !now.roles.includes(role));
}
