import type { Transaction } from '../../storage/schema.ts';
import { issueOneTimeSecret } from '../one-time-secrets.ts';

const RESET_LINK_MS = 3_600_000;

/** What is kept with a link to choose a password. */
export interface ResetPayload {
  /** The address it was mailed to: who uses it reads the mail there. Null when it was shown. */
  mailed_to: string | null;
}

/**
 * Makes a link with which a person can choose a password once, for an hour. Those from before go on
 * working, since anybody can ask for one; whichever is used first ends all the others.
 * @param origin of this server, as browsers reach it
 * @param mailedTo the address, when the link goes nowhere else
 */
export async function issueResetLink(
  tx: Transaction,
  origin: string,
  userId: string,
  nowMs: number,
  mailedTo: string | null,
): Promise<string> {
  const payload: ResetPayload = { mailed_to: mailedTo };
  const secret = await issueOneTimeSecret(tx, 'password_reset', {
    userId,
    payload,
    expiresAtMs: nowMs + RESET_LINK_MS,
  });
  return `${origin}/reset-password?token=${secret}`;
}
