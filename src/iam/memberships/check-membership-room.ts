import { apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import { lockUser } from '../users/user-store.ts';
import { countAcceptedMemberships } from './membership-store.ts';

/**
 * What a person may do is read and kept in memory as a whole: this bounds it. Invitations do not
 * count, because anybody can send them.
 */
export const MAX_MEMBERSHIPS_PER_PERSON = 500;

/**
 * Whether a person may become a member of one more account; others who ask that wait until the
 * transaction ends. Whoever locks accounts too locks them first.
 * @throws ApiError 3035
 */
export async function checkMembershipRoom(tx: Transaction, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if ((await countAcceptedMemberships(tx, userId)) < MAX_MEMBERSHIPS_PER_PERSON) return;
  throw apiError(iamErrors.tooManyMemberships);
}
