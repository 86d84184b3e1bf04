import { randomBytes } from 'node:crypto';
import { digestSecret } from '../../lib/secrets.ts';
import type { Db, Transaction } from '../../storage/schema.ts';

// How many codes a person is given at once.
const RECOVERY_CODES = 10;

/** More than anybody needs to write one down. */
export const MAX_RECOVERY_CODE_LENGTH = 64;

// Crockford's base32, which leaves out the letters that look like other signs. 32 of them: five bits
// of a random byte choose one, each as likely as any other.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 16; // 80 bits: nothing to guess, so that a fast hash suffices
const GROUP_LENGTH = 4;
const GROUP = new RegExp(`.{${GROUP_LENGTH}}(?=.)`, 'g');
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);

/** A new code such as `7k2m-9xqa-04tz-hw3c`. */
function createRecoveryCode(): string {
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replaceAll(GROUP, '$&-');
}

/**
 * A code as it is compared, however it was typed: without dashes and spaces, in lower case, and with
 * the letters that the alphabet leaves out read as what they look like.
 * @returns undefined for a text that cannot be a code
 */
function normalizeRecoveryCode(text: string): string | undefined {
  if (text.length > MAX_RECOVERY_CODE_LENGTH) return undefined;
  const code = text
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return CODE.test(code) ? code : undefined;
}

function digestCode(code: string): string {
  return digestSecret(`recovery code ${code.replaceAll('-', '')}`);
}

/** Gives a person new codes; the ones from before are worth nothing from the commit on. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, digest: digestCode(code) })))
    .execute();
  return codes;
}

/**
 * Uses up a code: of several who try at once, one succeeds.
 * @param text as it was typed
 * @returns false for one that is unknown, used or another person's
 */
export async function useRecoveryCode(
  tx: Transaction,
  userId: string,
  text: string,
): Promise<boolean> {
  const code = normalizeRecoveryCode(text);
  if (code === undefined) return false;
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digestCode(code))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** How many codes a person has left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
