import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import type { Transaction } from '../storage/schema.ts';

const INTERVAL_MS = 10 * 60_000;
const ROWS_PER_PURGE = 500;

/** Deletes some rows of a table that have expired; returns whether there may be more of them. */
async function purgeExpired(
  tx: Transaction,
  table: 'oauth_access_tokens' | 'oauth_refresh_tokens' | 'oauth_families',
  key: 'digest' | 'id',
  nowMs: number,
): Promise<boolean> {
  const name = tx.dynamic.ref<'expires_at'>(key);
  const expired = tx
    .selectFrom(table)
    .select(name)
    .where('expires_at', '<=', nowMs)
    .limit(ROWS_PER_PURGE);
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where(name, 'in', expired)
    .executeTakeFirstOrThrow();
  return numDeletedRows >= BigInt(ROWS_PER_PURGE);
}

/** Adds the deletion of codes and tokens that are of no use any more: a little at a time. */
export function addHousekeeping(work: PeriodicWork, database: Database, clock: Clock): void {
  work.add({
    name: 'oauth-housekeeping',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const [table, key] of [
        ['oauth_access_tokens', 'digest'],
        ['oauth_refresh_tokens', 'digest'],
        ['oauth_families', 'id'],
      ] as const) {
        let hasMore = true;
        while (hasMore && !signal.aborted) {
          hasMore = await database.transaction((tx) => purgeExpired(tx, table, key, clock.now()));
        }
      }
    },
  });
}
