import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { deleteStates } from '../short-lived-state.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { userAnnouncement } from '../users/user-directory.ts';
import { findUserByEmail, lockUser } from '../users/user-store.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';

/**
 * Removes the authenticator app, the passkeys and the recovery codes of a person who has lost them,
 * and ends all sessions of the person. The password stays.
 *
 * Servers on PostgreSQL hear of it at once. One on SQLite cannot be told by another process: what it
 * has in memory is good for up to a minute more, see Invalidation.cacheLifetimeMs.
 * @throws Error when nobody has the address
 */
export async function removeFactors(
  database: Database,
  clock: Clock,
  email: string,
): Promise<void> {
  await database.transaction(async (tx, announce) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) throw new Error(`no user has the email address ${email}`);
    const { id: userId } = user;
    await lockUser(tx, userId);
    await tx.deleteFrom('totp_factors').where('user_id', '=', userId).execute();
    await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
    await deleteRecoveryCodes(tx, userId);
    await deleteStates(tx, 'passkey_registration', userId);
    await endSessions({ tx, announce }, userId);
    announce(userAnnouncement(userId));
    const entry = {
      chain: { userId },
      action: {
        type: 'remove_factors',
        result: 'success' as const,
        description: 'An operator removed all second factors and ended all sessions',
      },
      actor: SYSTEM_ACTOR,
      resource: { type: 'user', id: userId, product: 'two_factor' },
    };
    await appendAudit(tx, entry, clock.now());
  });
}
