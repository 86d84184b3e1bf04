import type { Settings } from '../config/settings.ts';
import { lockOutUser, readmitUser } from '../iam/users/lock-out.ts';
import { systemClock } from '../lib/clock.ts';
import { openSharedDatabase } from './open-databases.ts';

const DELAY = 'A server that runs on SQLite notices within a minute.';

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
      return action === 'lock' ? `Locked out. ${DELAY}\n` : `Let back in. ${DELAY}\n`;
    }
    return action === 'lock' ? 'Was locked out already.\n' : 'Was not locked out.\n';
  } finally {
    await database.close();
  }
}
