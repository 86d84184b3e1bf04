import type { Database } from '../storage/database.ts';
import { type Purge, ROWS_PER_PURGE, addPurges, purgeExpired } from '../storage/housekeeping.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { REFRESH_GRACE_MS } from './lifetimes.ts';

/**
 * Forgets answers of refreshes that nobody can ask for again, although they are sealed. Uses
 * `oauth_refresh_tokens_response`.
 */
const forgetAnswers: Purge = async (tx, nowMs) => {
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
};

const purges: readonly Purge[] = [
  forgetAnswers,
  purgeExpired('oauth_access_tokens', 'digest'),
  purgeExpired('oauth_refresh_tokens', 'digest'),
  purgeExpired('oauth_families', 'id'),
];

/**
 * Adds the deletion of codes and tokens that are of no use any more to the periodic work. A refresh
 * token that was used is kept until its `expires_at`, because its reuse means something.
 */
export function addHousekeeping(work: PeriodicWork, database: Database): void {
  addPurges(work, database, { name: 'oauth-housekeeping', purges });
}
