import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database.ts';
import type { PeriodicWork } from './periodic-work.ts';
import type { Transaction } from './schema.ts';

const INTERVAL_MS = 10 * 60_000;

/** So many rows go in one transaction: a few milliseconds of the embedded database. */
export const ROWS_PER_PURGE = 500;

/** Removes something that is of no use any more; returns whether there may be more of it. */
export type Purge = (tx: Transaction, nowMs: number) => Promise<boolean>;

/** Tables whose rows are over at `expires_at`, by their keys. Each has an index on that column. */
interface ExpiringTables {
  one_time_secrets: 'digest';
  sessions: 'id';
  oauth_access_tokens: 'digest';
  oauth_refresh_tokens: 'digest';
  oauth_families: 'id';
}

/** Deletes the rows of a table that have expired. */
export function purgeExpired<Table extends keyof ExpiringTables>(
  table: Table,
  key: ExpiringTables[Table],
): Purge {
  // The same two columns in all of them, whichever it is.
  const [from, name] = [table as 'sessions', key as 'id'];
  return async (tx, nowMs) => {
    const expired = tx
      .selectFrom(from)
      .select(name)
      .where('expires_at', '<=', nowMs)
      .limit(ROWS_PER_PURGE);
    const { numDeletedRows } = await tx
      .deleteFrom(from)
      .where(name, 'in', expired)
      // PostgreSQL asks this again of a row that was prolonged while it waited for it, and the list not.
      .where('expires_at', '<=', nowMs)
      .executeTakeFirstOrThrow();
    return numDeletedRows >= BigInt(ROWS_PER_PURGE);
  };
}

/**
 * Purges until nothing is left; others get their turn between the steps.
 * @param step answers whether there may be more
 * @throws the reason of the signal when it is aborted
 */
export async function purgeInSteps(
  step: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  do {
    signal.throwIfAborted();
    await nextTurn();
  } while (await step());
}

/** Adds purges to the periodic work, one after the other and a little at a time. */
export function addPurges(
  work: PeriodicWork,
  database: Database,
  { name, purges }: { name: string; purges: readonly Purge[] },
): void {
  work.add({
    name,
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const purge of purges) {
        const purgeSome = () => database.transaction((tx) => purge(tx, work.deletionClock.now()));
        await purgeInSteps(purgeSome, signal);
      }
    },
  });
}
