import type { Db, Transaction } from '../../storage/schema.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { findTotpFactor } from './totp-store.ts';

/** Whether a person has an authenticator app or a passkey. Uses `passkeys_user`. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const totp = await findTotpFactor(db, userId);
  if (totp?.confirmedAtMs !== undefined) return true;
  const passkey = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return passkey !== undefined;
}

/**
 * Forgets the recovery codes of a person who has no second factor left: a later one must not be open
 * to codes that were given for the one before.
 */
export async function forgetOrphanedRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await deleteRecoveryCodes(tx, userId);
}
