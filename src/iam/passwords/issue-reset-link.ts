import type { Transaction } from '../../storage/schema.ts';
import { storeState } from '../short-lived-state.ts';

const RESET_LINK_MS = 3_600_000;

/** What is kept with a link to choose a password. */
export interface ResetPayload {
  /** The address it was mailed to: who uses it reads the mail there. Null when it was shown. */
  mailed_to: string | null;
}

/**
 * Makes a link with which a user can choose a password once, for an hour. Earlier links keep working, because anyone can
 * request a link. The first use ends all links of the user.
 * @param origin of this server, as browsers reach it
 * @param mailedTo the address, if the link goes nowhere else
 * @param returnId see pages/remembered-return-to.ts
 */
export async function issueResetLink(
  tx: Transaction,
  origin: string,
  userId: string,
  nowMs: number,
  mailedTo: string | null,
  returnId?: string,
): Promise<string> {
  const payload: ResetPayload = { mailed_to: mailedTo };
  const secret = await storeState(tx, 'password_reset', {
    userId,
    payload,
    expiresAtMs: nowMs + RESET_LINK_MS,
  });
  const link = `${origin}/reset-password?token=${secret}`;
  return returnId === undefined ? link : `${link}&return=${returnId}`;
}
