import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Announce } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { deleteTokensOfAccount } from '../api-tokens/token-store.ts';
import { tokenAnnouncement } from '../credentials.ts';
import { deleteMembersOfAccount } from '../members/member-store.ts';
import { userAnnouncement } from '../users/user-directory.ts';

/** Deletes what a domain keeps of an account and must be gone at once; announces what is cached. */
export type DeleteAccountData = (
  tx: Transaction,
  announce: Announce,
  accountId: string,
) => Promise<void>;

/** Deletes some of what a domain keeps of an account in bulk; answers whether there may be more. */
export type PurgeAccountData = (accountId: string) => Promise<boolean>;

// Some milliseconds of the main thread on the embedded database.
const TOKENS_PER_STATEMENT = 200;

/** Deletes everything that gives access to an account, or refers to it. */
export async function deleteAccountContents(
  tx: Transaction,
  announce: Announce,
  accountId: string,
  deleteAccountData: readonly DeleteAccountData[],
): Promise<void> {
  for (;;) {
    const digests = await deleteTokensOfAccount(tx, accountId, TOKENS_PER_STATEMENT);
    for (const digest of digests) announce(tokenAnnouncement(digest));
    if (digests.length < TOKENS_PER_STATEMENT) break;
    await nextTurn();
  }
  const userIds = await deleteMembersOfAccount(tx, accountId);
  for (const userId of userIds) announce(userAnnouncement(userId));
  for (const deleteData of deleteAccountData) await deleteData(tx, announce, accountId);
}
