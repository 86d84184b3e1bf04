import type { Settings } from '../config/settings.ts';
import { lockOutUser, readmitUser } from '../iam/users/lock-out.ts';
import { systemClock } from '../lib/clock.ts';
import { openSharedDatabase } from './open-databases.ts';

const DELAY = 'A running server with SQLite applies this within one minute.';

/**
 * `latchkey user lock` and `latchkey user unlock`.
 * @returns what to print
 * @throws Error without an address, or when nobody has it
 */
export async function changeUserLock(
  settings: Settings,
  action: 'lock' | 'unlock',
  email: string | undefined,
): Promise<string> {
  if (email === undefined) throw new Error(`user ${action} needs an email address`);
  const database = openSharedDatabase(settings);
  const change = action === 'lock' ? lockOutUser : readmitUser;
  try {
    if (await change(database, systemClock, email)) {
      return action === 'lock' ? `User locked. ${DELAY}\n` : `User unlocked. ${DELAY}\n`;
    }
    return action === 'lock' ? 'The user was already locked.\n' : 'The user was not locked.\n';
  } finally {
    await database.close();
  }
}
