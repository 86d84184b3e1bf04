import type { Clock } from '../../lib/clock.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { userAnnouncement } from './user-directory.ts';
import { type User, findUserByEmail, lockUser } from './user-store.ts';

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
  return changeLock(database, clock, email, async (tx, announce, user, nowMs) => {
    if (user.lockedAtMs !== undefined) return false;
    await setLockedAt(tx, user.id, nowMs);
    await endSessions({ tx, announce }, user.id);
    await tx.deleteFrom('one_time_secrets').where('user_id', '=', user.id).execute();
    const description = 'An operator locked the user and ended all sessions';
    await note(tx, user, 'lock', description, nowMs);
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
  return changeLock(database, clock, email, async (tx, _announce, user, nowMs) => {
    if (user.lockedAtMs === undefined) return false;
    await setLockedAt(tx, user.id, null);
    await note(tx, user, 'unlock', 'An operator unlocked the user', nowMs);
    return true;
  });
}

function changeLock(
  database: Database,
  clock: Clock,
  email: string,
  change: (tx: Transaction, announce: Announce, user: User, nowMs: number) => Promise<boolean>,
): Promise<boolean> {
  return database.transaction(async (tx, announce) => {
    const found = await findUserByEmail(tx, email);
    if (found !== undefined) await lockUser(tx, found.id);
    const user = await findUserByEmail(tx, email);
    if (user === undefined) throw new Error(`no user has the email address ${email}`);
    const isChanged = await change(tx, announce, user, clock.now());
    if (isChanged) announce(userAnnouncement(user.id));
    return isChanged;
  });
}

async function setLockedAt(
  tx: Transaction,
  userId: string,
  lockedAtMs: number | null,
): Promise<void> {
  await tx.updateTable('users').set({ locked_at: lockedAtMs }).where('id', '=', userId).execute();
}

async function note(
  tx: Transaction,
  { id }: User,
  type: string,
  description: string,
  nowMs: number,
): Promise<void> {
  const entry = {
    chain: { userId: id },
    action: { type, result: 'success' as const, description },
    actor: SYSTEM_ACTOR,
    resource: { type: 'user', id, product: 'user' },
  };
  await appendAudit(tx, entry, nowMs);
}
