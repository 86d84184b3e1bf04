import { unavailable } from '../http/errors.ts';
import type { Db } from '../storage/schema.ts';
import { type Principal, userOf } from './principal.ts';
import { type AccountMembership, type UserAccess, loadUserAccess } from './users/user-access.ts';

/**
 * Checks, in the transaction of a change, that the person behind a request has lost nothing since the
 * access check: a membership or a role may have ended while the request waited for its turn. A
 * membership that ended because its account was deleted does not count: nothing can be done there.
 * @throws ApiError 503; the access check of the next request reads the current state
 */
export async function requireAccess(db: Db, principal: Principal): Promise<void> {
  const before = userOf(principal);
  if (before === undefined) return;
  const now = await loadUserAccess(db, before.id);
  const lost =
    now === undefined
      ? undefined
      : before.memberships.filter((membership) => isLess(now, membership));
  if (lost?.length === 0) return;
  if (lost === undefined || (await isOneOpen(db, lost))) {
    throw unavailable('your permissions have just changed');
  }
}

async function isOneOpen(db: Db, memberships: readonly AccountMembership[]): Promise<boolean> {
  const ids = memberships.map(({ accountId }) => accountId);
  const open = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .limit(1)
    .execute();
  return open.length > 0;
}

function isLess({ memberships }: UserAccess, before: AccountMembership): boolean {
  const now = memberships.find(({ memberId }) => memberId === before.memberId);
  if (now === undefined) return true;
  if (now.lacksSecondFactor && !before.lacksSecondFactor) return true;
  return before.roles.some((role) => !now.roles.includes(role));
}
