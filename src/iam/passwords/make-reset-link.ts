import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { findUserByEmail } from '../users/user-store.ts';
import { issueResetLink } from './issue-reset-link.ts';

/**
 * Makes a link with which a person can choose a password, for an operator to hand over. It does not
 * show that the person reads the mail of the address.
 * @param origin of the server, as browsers reach it
 * @throws Error when nobody has the address, or who has it is locked out
 */
export async function makeResetLink(
  database: Database,
  clock: Clock,
  origin: string,
  email: string,
): Promise<string> {
  const nowMs = clock.now();
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === undefined) throw new Error(`no user has the email address ${email}`);
    if (user.lockedAtMs !== undefined) throw new Error(`${email} is locked`);
    const link = await issueResetLink(tx, origin, user.id, nowMs, null);
    await appendAudit(
      tx,
      {
        chain: { userId: user.id },
        action: {
          type: 'request_password_reset',
          result: 'success',
          description: 'An operator created a password reset link',
        },
        actor: SYSTEM_ACTOR,
        resource: { type: 'user', id: user.id, product: 'user' },
      },
      nowMs,
    );
    return link;
  });
}
