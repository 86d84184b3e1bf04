import type { Database } from '../storage/database.ts';
import { type Purge, addPurges, purgeExpired } from '../storage/housekeeping.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { purgeQuotas } from '../storage/quota-store.ts';
import { purgeIdempotencyKeys } from './idempotency.ts';
import { purgeCounters } from './sessions/attempt-counters.ts';

// A node whose clock is late must not begin a window anew that was purged already.
const QUOTA_GRACE_MS = 3_600_000;

const purges: readonly Purge[] = [
  purgeIdempotencyKeys,
  async (tx, nowMs) => (await purgeQuotas(tx, nowMs - QUOTA_GRACE_MS)) > 0,
  purgeExpired('one_time_secrets', 'digest'),
  purgeExpired('sessions', 'id'),
  purgeCounters,
];

/** Adds the deletion of what has expired to the periodic work. */
export function addHousekeeping(work: PeriodicWork, database: Database): void {
  addPurges(work, database, { name: 'iam-housekeeping', purges });
}
