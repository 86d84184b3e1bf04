import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { changeByOperator } from './operator-change.ts';

/**
 * Locks a person out until {@link readmitUser}: ends all sessions and every link that was mailed, lets
 * nobody sign in as the person, and makes the person's API tokens and all that OAuth clients hold of
 * the person worthless meanwhile. Tokens that belong to accounts go on working.
 *
 * Servers on PostgreSQL hear of it at once. One on SQLite cannot be told by another process: what it
 * has in memory is good for up to a minute more, see Invalidation.cacheLifetimeMs.
 * @returns false when the person was locked out already
 * @throws Error when nobody has the address
 */
export function lockOutUser(database: Database, clock: Clock, email: string): Promise<boolean> {
  return changeByOperator(database, clock, email, async ({ tx, announce, user, nowMs, audit }) => {
    if (user.lockedAtMs !== undefined) return false;
    await setLockedAt(tx, user.id, nowMs);
    await endSessions({ tx, announce }, user.id);
    await tx.deleteFrom('one_time_secrets').where('user_id', '=', user.id).execute();
    await audit('lock', 'An operator locked the user and ended all sessions');
    return true;
  });
}

/**
 * Lets a person who was locked out back in. Tokens that have not expired work again; sessions have
 * ended for good.
 * @returns false when the person was not locked out
 * @throws Error when nobody has the address
 */
export function readmitUser(database: Database, clock: Clock, email: string): Promise<boolean> {
  return changeByOperator(database, clock, email, async ({ tx, user, audit }) => {
    if (user.lockedAtMs === undefined) return false;
    await setLockedAt(tx, user.id, null);
    await audit('unlock', 'An operator unlocked the user');
    return true;
  });
}

async function setLockedAt(
  tx: Transaction,
  userId: string,
  lockedAtMs: number | null,
): Promise<void> {
  await tx.updateTable('users').set({ locked_at: lockedAtMs }).where('id', '=', userId).execute();
}
