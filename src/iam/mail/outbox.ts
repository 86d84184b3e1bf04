import type { Clock } from '../../lib/clock.ts';
import { mailDomain } from '../../lib/mail-address.ts';
import { SealError, type Sealer } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import type { Transaction } from '../../storage/schema.ts';
import { MailError } from './mail-error.ts';
import {
  type QueuedMail,
  deleteMail,
  openMail,
  postponeMail,
  queueMail,
  selectDueMail,
} from './mail-store.ts';
import type { Mailer, Message } from './mailer.ts';

const JOB = 'outgoing-mail';
// For retries, and for mail that was queued while another node was sending.
const INTERVAL_MS = 15_000;
const BATCH_ROWS = 20;
const MINUTE_MS = 60_000;
const FIRST_GAP_MS = MINUTE_MS;
const MAX_GAP_MS = 60 * MINUTE_MS;
// A link that is older is of no use any more.
const GIVE_UP_AFTER_MS = 48 * 60 * MINUTE_MS;

/** Mail as the rest of the server sees it. */
export interface Mail {
  /** Whether there is a server to send it to; without one nothing may be queued. */
  readonly isConfigured: boolean;
  /**
   * Queues a message in the transaction of the change that causes it. It is sent at least once.
   * @throws TypeError as {@link queueMail} does; Error when mail is not configured
   */
  queue(tx: Transaction, message: Message): Promise<void>;
  /** After the commit: sends what is queued now rather than in some seconds. Never waits or throws. */
  kick(): void;
}

export interface MailParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  /** Of a purpose of its own. */
  sealer: Sealer;
  /** Undefined when no mail server is configured. */
  mailer: Mailer | undefined;
}

/** Adds the sending of mail to the periodic work, before that is started. */
export function createMail(parts: MailParts): Mail {
  const { clock, work, sealer, mailer } = parts;
  const outbox = new Outbox(parts);
  work.add({ name: JOB, intervalMs: INTERVAL_MS, run: (signal) => outbox.sendDue(signal) });
  return {
    isConfigured: mailer !== undefined,
    async queue(tx, message) {
      if (mailer === undefined) throw new Error('mail is not configured');
      await queueMail(tx, sealer, clock, message);
    },
    kick() {
      void work.runNow(JOB);
    },
  };
}

/** Sends what is queued; a row is deleted only when the server has taken its message over. */
class Outbox {
  readonly #parts: MailParts;

  constructor(parts: MailParts) {
    this.#parts = parts;
  }

  /** Sends what is due, until nothing is left, the server is in trouble or the signal says so. */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    for (;;) {
      // Each is deleted or postponed before the next look, so this comes to an end.
      const batch = await selectDueMail(database.read, clock.now(), BATCH_ROWS);
      if (batch.length === 0) return;
      for (const mail of batch) {
        signal.throwIfAborted();
        const trouble = await this.#send(mail, signal);
        if (trouble === undefined) continue;
        await this.#settle(mail, trouble);
        // The others would wait for the same time-out, one after the other.
        if (trouble.scope === 'server') return;
      }
    }
  }

  /** @returns what went wrong */
  async #send(mail: QueuedMail, signal: AbortSignal): Promise<MailError | undefined> {
    const { database, sealer, mailer } = this.#parts;
    if (mailer === undefined) return new MailError('no mail server is configured', 'message');
    try {
      const message = openMail(sealer, mail);
      await mailer.send({ ...message, id: mail.id, createdAtMs: mail.createdAtMs }, signal);
    } catch (error) {
      // Stopping is no failure of the message.
      signal.throwIfAborted();
      // What does not open now never will.
      if (error instanceof SealError) return new MailError(error.message, 'message-for-ever');
      if (error instanceof MailError) return error;
      throw error;
    }
    await database.transaction((tx) => deleteMail(tx, mail.id));
    return undefined;
  }

  /** Gives the message up, or another attempt later. */
  async #settle(mail: QueuedMail, trouble: MailError): Promise<void> {
    const { database, clock, report } = this.#parts;
    const nowMs = clock.now();
    const attempts = mail.attempts + 1;
    const what = `mail to ${mailDomain(mail.recipient)}`;
    if (trouble.scope === 'message-for-ever' || nowMs - mail.createdAtMs >= GIVE_UP_AFTER_MS) {
      await database.transaction((tx) => deleteMail(tx, mail.id));
      report(trouble, `${what} was given up at attempt ${attempts}`);
      return;
    }
    const gapMs = Math.min(MAX_GAP_MS, FIRST_GAP_MS * 2 ** (attempts - 1));
    await database.transaction((tx) => postponeMail(tx, mail.id, attempts, nowMs + gapMs));
    report(
      trouble,
      `${what} was not sent at attempt ${attempts}, next in ${gapMs / MINUTE_MS} min`,
    );
  }
}
