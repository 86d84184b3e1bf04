import type { Clock } from '../../lib/clock.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Transaction } from '../../storage/schema.ts';
import { SYSTEM_ACTOR, appendAudit } from '../audit/audit-entry.ts';
import { userAnnouncement } from './user-directory.ts';
import { type User, findUserByEmail, lockUser } from './user-store.ts';

/** A change of a user by a command of the operator. */
export interface OperatorChange {
  tx: Transaction;
  announce: Announce;
  /** Locked until the transaction ends. */
  user: User;
  nowMs: number;
  /** Writes a row of the user's audit log. */
  audit: (type: string, description: string) => Promise<void>;
}

/**
 * Changes the user with an address.
 * @param change returns false if there was nothing to change
 * @throws Error if no user has the address
 */
export function changeByOperator(
  database: Database,
  clock: Clock,
  email: string,
  change: (tools: OperatorChange) => Promise<boolean>,
): Promise<boolean> {
  return database.transaction(async (tx, announce) => {
    const found = await findUserByEmail(tx, email);
    if (found !== undefined) await lockUser(tx, found.id);
    const user = await findUserByEmail(tx, email);
    if (user === undefined) throw new Error(`no user has the email address ${email}`);
    const nowMs = clock.now();
    const audit = (type: string, description: string): Promise<void> =>
      appendAudit(
        tx,
        {
          chain: { userId: user.id },
          action: { type, result: 'success', description },
          actor: SYSTEM_ACTOR,
          resource: { type: 'user', id: user.id, product: 'user' },
        },
        nowMs,
      );
    const isChanged = await change({ tx, announce, user, nowMs, audit });
    if (isChanged) announce(userAnnouncement(user.id));
    return isChanged;
  });
}
