import { createHash } from 'node:crypto';
import { apiError } from '../../http/errors.ts';
import { leaseSlice } from '../../storage/quota-store.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import { foldEmail } from '../users/user-store.ts';

const HOUR_MS = 3_600_000;

/** From all accounts together: nobody's mailbox is filled with our links. */
export const MAX_INVITATION_MAILS_PER_HOUR_AND_RECIPIENT = 3;

/** Twice as many as can be pending at a time, so that all of them can be renewed. */
export const MAX_INVITATION_MAILS_PER_DAY_AND_ACCOUNT = 200;

/**
 * Counts the mail of an invitation as part of the change: what is taken back was not counted. Hours and
 * days are those of UTC.
 * @throws ApiError 3034 with the time to wait
 */
export async function countInvitationMail(
  tx: Transaction,
  { accountId, email }: { accountId: string; email: string },
  nowMs: number,
): Promise<void> {
  // The account first: its row is locked anyway, and others may wait for the recipient's.
  await take(tx, `invitation mails of account ${accountId}`, {
    limit: MAX_INVITATION_MAILS_PER_DAY_AND_ACCOUNT,
    windowMs: 24 * HOUR_MS,
    nowMs,
  });
  await take(tx, `invitation mails to ${digestOfMailbox(email)}`, {
    limit: MAX_INVITATION_MAILS_PER_HOUR_AND_RECIPIENT,
    windowMs: HOUR_MS,
    nowMs,
  });
}

async function take(
  tx: Transaction,
  name: string,
  { limit, windowMs, nowMs }: { limit: number; windowMs: number; nowMs: number },
): Promise<void> {
  const startMs = nowMs - (nowMs % windowMs);
  const span = { startMs, expiresAtMs: startMs + windowMs };
  const request = { name, isSliding: false, nowMs, limit, span, corrections: [] };
  const { units } = await leaseSlice(tx, { ...request, need: 1, most: 1 });
  if (units === 0) throw invitedTooOften(span.expiresAtMs - nowMs);
}

/** The refusal of one more mail. */
export function invitedTooOften(waitMs: number): Error {
  return apiError(iamErrors.invitedTooOften, {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
}

/** Nothing that names a person is stored. What follows a `+` leads to the same mailbox mostly. */
function digestOfMailbox(email: string): string {
  const mailbox = foldEmail(email).replace(/^([^+]*)\+[^@]*@/, '$1@');
  return createHash('sha256').update(mailbox).digest('base64url');
}
