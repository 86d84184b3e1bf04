import { readStored, writeStored } from '../lib/stored-text.ts';

const KEY = 'latchkey:account';

/** The account that this browser looked at last. */
export function rememberedAccount(): string | undefined {
  return readStored('localStorage', KEY);
}

/** The next visit begins there. */
export function rememberAccount(accountId: string): void {
  writeStored('localStorage', KEY, accountId);
}

/** The person is no member of it any more. */
export function forgetAccount(accountId: string): void {
  if (rememberedAccount() === accountId) writeStored('localStorage', KEY, undefined);
}
