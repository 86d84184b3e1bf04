import type { Transaction } from '../../storage/schema.ts';
import { lockAccount } from '../accounts/account-store.ts';
import { type Member, findMember } from '../members/member-store.ts';
import { type Membership, findMembership } from './membership-store.ts';

/** A membership from both of its sides. */
export interface LockedMembership {
  membership: Membership;
  member: Member;
}

/**
 * A membership of a person, with its account locked until the transaction ends.
 * @throws ApiError 403 when the account is being deleted
 */
export async function lockMembership(
  tx: Transaction,
  userId: string,
  memberId: string,
): Promise<LockedMembership | undefined> {
  const found = await findMembership(tx, userId, memberId);
  if (found === undefined) return undefined;
  await lockAccount(tx, found.account.id);
  // Again: what was read before the lock may have changed.
  const membership = await findMembership(tx, userId, memberId);
  const member = await findMember(tx, found.account.id, memberId);
  return membership && member && { membership, member };
}
