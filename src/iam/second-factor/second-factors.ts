import type { Db, Transaction } from '../../storage/schema.ts';
import { listSecondFactors } from '../users/second-factor-column.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';

/** Whether a person has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return (await listSecondFactors(db, userId)).length > 0;
}

/**
 * Forgets the recovery codes of a person who has no second factor left: a later one must not be open
 * to codes that were given for the one before.
 */
export async function forgetOrphanedRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await deleteRecoveryCodes(tx, userId);
}
