import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { purgeQuotas } from '../storage/quota-store.ts';
import type { Transaction } from '../storage/schema.ts';
import { purgeIdempotencyKeys } from './idempotency.ts';
import { purgeCounters } from './sessions/attempt-counters.ts';

const INTERVAL_MS = 10 * 60_000;

/** Deletes some rows that are of no use any more; returns whether there may be more of them. */
type Purge = (tx: Transaction, nowMs: number) => Promise<boolean>;

// A node whose clock is late must not begin a window anew that was purged already.
const QUOTA_GRACE_MS = 3_600_000;

const purges: readonly Purge[] = [
  purgeIdempotencyKeys,
  async (tx, nowMs) => (await purgeQuotas(tx, nowMs - QUOTA_GRACE_MS)) > 0,
  purgeExpired('one_time_secrets', 'digest'),
  purgeExpired('sessions', 'id'),
  purgeCounters,
];

const ROWS_PER_PURGE = 500;

/** Uses the index on `expires_at` that each of them has. */
function purgeExpired(table: 'one_time_secrets' | 'sessions', key: 'digest' | 'id'): Purge {
  return async (tx, nowMs) => {
    const name = tx.dynamic.ref<'digest'>(key);
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
  };
}

/** Adds the deletion of what has expired to the periodic work: a little at a time. */
export function addHousekeeping(work: PeriodicWork, database: Database, clock: Clock): void {
  work.add({
    name: 'iam-housekeeping',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const purge of purges) {
        let hasMore = true;
        while (hasMore && !signal.aborted) {
          hasMore = await database.transaction((tx) => purge(tx, clock.now()));
        }
      }
    },
  });
}
