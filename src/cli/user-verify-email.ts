import type { Settings } from '../config/settings.ts';
import { verifyEmailByOperator } from '../iam/users/verify-email.ts';
import { systemClock } from '../lib/clock.ts';
import { openSharedDatabase } from './open-databases.ts';

/**
 * `latchkey user verify-email`: marks an address as verified, for servers that send no mail.
 * @returns the text to print
 * @throws Error without an address, or if no user has it
 */
export async function verifyUserEmail(
  settings: Settings,
  email: string | undefined,
): Promise<string> {
  if (email === undefined) throw new Error('user verify-email needs an email address');
  const database = openSharedDatabase(settings);
  try {
    const isChanged = await verifyEmailByOperator(database, systemClock, email);
    return isChanged ? `${email} is verified.\n` : `${email} was already verified.\n`;
  } finally {
    await database.close();
  }
}
