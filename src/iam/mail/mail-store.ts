import type { Clock } from '../../lib/clock.ts';
import { createId } from '../../lib/ids.ts';
import { isMailAddress } from '../../lib/mail-address.ts';
import type { Sealer } from '../../lib/sealing.ts';
import type { Db, Transaction } from '../../storage/schema.ts';
import type { Message } from './mailer.ts';

const MAX_SUBJECT_LENGTH = 250;
const MAX_TEXT_LENGTH = 50_000;

/** A message that waits to be sent. */
export interface QueuedMail {
  id: string;
  recipient: string;
  sealed: string;
  createdAtMs: number;
  /** How often it was tried in vain. */
  attempts: number;
}

/** What seals messages; see {@link sealingContextOfMail}. */
export function mailSealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer('outgoing_mail');
}

/** Where a message is sealed: nobody who can write the table can send its links elsewhere. */
export function sealingContextOfMail(id: string, recipient: string): string {
  return `outgoing_mail/${id}/${recipient}`;
}

/**
 * Queues a message as part of the change that causes it: both are on disk, or neither.
 * @throws TypeError when the address is none, the subject has line breaks or something is too long:
 *   whoever takes these from a caller checks them first
 */
export async function queueMail(
  tx: Transaction,
  sealer: Sealer,
  clock: Clock,
  { to, subject, text }: Message,
): Promise<void> {
  if (!isMailAddress(to)) throw new TypeError('mail needs one address');
  if (/\p{Cc}|[\u2028\u2029]/u.test(subject)) {
    throw new TypeError('the subject of mail is one line');
  }
  if (subject.length > MAX_SUBJECT_LENGTH || text.length > MAX_TEXT_LENGTH) {
    throw new TypeError('the mail is too long');
  }
  const id = createId();
  const content = JSON.stringify({ subject: subject.toWellFormed(), text: text.toWellFormed() });
  const nowMs = clock.now();
  await tx
    .insertInto('outgoing_mail')
    .values({
      id,
      recipient: to,
      sealed: sealer.seal(content, sealingContextOfMail(id, to)),
      created_at: nowMs,
      attempts: 0,
      next_attempt_at: nowMs,
    })
    .execute();
}

/** @throws SealError when the row was changed, or sealed under another key */
export function openMail(sealer: Sealer, { id, recipient, sealed }: QueuedMail): Message {
  const content = sealer.open(sealed, sealingContextOfMail(id, recipient));
  const { subject, text } = JSON.parse(content) as { subject: string; text: string };
  return { to: recipient, subject, text };
}

// No mail waits longer for its next attempt, and no clock that is set is ahead by so much.
const MOST_AHEAD_MS = 2 * 60 * 60_000;

/** Mail whose time has come, the longest waiting first. Walks `outgoing_mail_due`. */
export async function selectDueMail(db: Db, nowMs: number, limit: number): Promise<QueuedMail[]> {
  const mail = db
    .selectFrom('outgoing_mail')
    .select(['id', 'recipient', 'sealed', 'created_at', 'attempts'])
    .orderBy('next_attempt_at')
    .limit(limit);
  const rows = await mail.where('next_attempt_at', '<=', nowMs).execute();
  if (rows.length === 0) {
    // Queued while the clock was ahead: it would wait until that time comes.
    rows.push(...(await mail.where('next_attempt_at', '>', nowMs + MOST_AHEAD_MS).execute()));
  }
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAtMs: created_at }));
}

/** After it was sent, or given up. */
export async function deleteMail(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('outgoing_mail').where('id', '=', id).execute();
}

/** After an attempt in vain. */
export async function postponeMail(
  tx: Transaction,
  id: string,
  attempts: number,
  nextAttemptAtMs: number,
): Promise<void> {
  await tx
    .updateTable('outgoing_mail')
    .set({ attempts, next_attempt_at: nextAttemptAtMs })
    .where('id', '=', id)
    .execute();
}
