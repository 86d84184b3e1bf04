import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { purgeInSteps } from '../../storage/housekeeping.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import { deleteAccountRow, listDeletedAccounts } from './account-store.ts';
import {
  type DeleteAccountData,
  type PurgeAccountData,
  deleteAccountContents,
} from './delete-account-contents.ts';

const JOB = 'deleted-accounts';

const INTERVAL_MS = 5 * 60_000;

/**
 * How long the row of a deleted account stays: what was under way at the deletion, such as a long
 * answer of a model, still leaves something behind, and that must be found.
 */
export const ACCOUNT_GRACE_MS = 60 * 60_000;

export interface AccountPurgeParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  deleteAccountData: readonly DeleteAccountData[];
  purgeAccountData: readonly PurgeAccountData[];
}

/**
 * Adds to the periodic work what removes the bulk of deleted accounts in small transactions, then
 * their rows. A crash loses nothing: an account stays marked until all of it is gone. Its audit log
 * is kept.
 * @returns what begins a round now rather than in some minutes; it never waits or throws
 */
export function addAccountPurge(parts: AccountPurgeParts): () => void {
  const { work, database, report } = parts;
  work.add({
    name: JOB,
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const account of await listDeletedAccounts(database.read)) {
        try {
          await purgeAccount(parts, account, signal);
        } catch (error) {
          signal.throwIfAborted();
          // Those behind it are not kept waiting; the next round tries it again.
          report(error as Error, `the deleted account ${account.id} could not be purged`);
        }
      }
    },
  });
  return () => void work.runNow(JOB);
}

async function purgeAccount(
  { database, clock, deleteAccountData, purgeAccountData }: AccountPurgeParts,
  { id, deletedAtMs }: { id: string; deletedAtMs: number },
  signal: AbortSignal,
): Promise<void> {
  // Asked before the purge: whatever came in until then is in it.
  const isLast = clock.now() - deletedAtMs >= ACCOUNT_GRACE_MS;
  for (const purgeData of purgeAccountData) {
    await purgeInSteps(() => purgeData(id), signal);
  }
  if (!isLast) return;
  await database.transaction(async (tx, announce) => {
    // Once more, for what was being added at the moment of the deletion.
    await deleteAccountContents(tx, announce, id, deleteAccountData);
    await deleteAccountRow(tx, id);
  });
}
