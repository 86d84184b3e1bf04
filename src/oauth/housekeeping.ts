import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import type { Transaction } from '../storage/schema.ts';
import { REFRESH_GRACE_MS } from './lifetimes.ts';

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
    // PostgreSQL asks this again of a row that was prolonged while it waited for it, and the list not.
    .where('expires_at', '<=', nowMs)
    .executeTakeFirstOrThrow();
  return numDeletedRows >= BigInt(ROWS_PER_PURGE);
}

/**
 * Forgets some answers of refreshes that nobody can ask for again, although they are sealed; returns
 * whether there may be more of them. Uses `oauth_refresh_tokens_response`.
 */
async function forgetAnswers(tx: Transaction, nowMs: number): Promise<boolean> {
  const over = tx
    .selectFrom('oauth_refresh_tokens')
    .select('digest')
    .where('response', 'is not', null)
    .where('used_at', '<=', nowMs - REFRESH_GRACE_MS)
    .limit(ROWS_PER_PURGE);
  const { numUpdatedRows } = await tx
    .updateTable('oauth_refresh_tokens')
    .set({ response: null })
    .where('digest', 'in', over)
    .executeTakeFirstOrThrow();
  return numUpdatedRows >= BigInt(ROWS_PER_PURGE);
}

type Step = (tx: Transaction, nowMs: number) => Promise<boolean>;

const STEPS: readonly Step[] = [
  forgetAnswers,
  (tx, nowMs) => purgeExpired(tx, 'oauth_access_tokens', 'digest', nowMs),
  (tx, nowMs) => purgeExpired(tx, 'oauth_refresh_tokens', 'digest', nowMs),
  (tx, nowMs) => purgeExpired(tx, 'oauth_families', 'id', nowMs),
];

/**
 * Adds the deletion of codes and tokens that are of no use any more: a little at a time. A refresh
 * token that was used is kept until its `expires_at`, because its reuse means something.
 */
export function addHousekeeping(work: PeriodicWork, database: Database, clock: Clock): void {
  work.add({
    name: 'oauth-housekeeping',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      for (const step of STEPS) {
        let hasMore = true;
        while (hasMore && !signal.aborted) {
          hasMore = await database.transaction((tx) => step(tx, clock.now()));
        }
      }
    },
  });
}
