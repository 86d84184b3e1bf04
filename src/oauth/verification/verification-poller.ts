import { appendAudit } from '../../iam/audit/audit-entry.ts';
import type { Clock } from '../../lib/clock.ts';
import { createId } from '../../lib/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { PeriodicWork } from '../../storage/periodic-work.ts';
import { judgeLookUp } from './judge-look-up.ts';
import { type LookUpOptions, lookUpTxt } from './look-up-txt.ts';
import type { LookUpResult, Verification } from './verification.ts';
import { verificationEntry } from './verification-audit.ts';
import {
  type DueVerification,
  claimVerification,
  giveVerificationBack,
  selectDueVerifications,
  storeOutcome,
} from './verification-store.ts';

const JOB = 'oauth-client-verification';
// How late a look-up may be at most when the gaps are long.
const MAX_ROUND_INTERVAL_MS = 5_000;
// Names whose servers are silent must not keep the others waiting.
const MAX_LOOK_UPS_AT_ONCE = 50;
// Nor must one account with many such names.
const MAX_LOOK_UPS_PER_ACCOUNT = 10;

interface PollerParts {
  database: Database;
  clock: Clock;
  report: ReportTrouble;
  work: PeriodicWork;
  lookUp: LookUpOptions;
  shortestGapMs: number;
}

/**
 * Looks up the TXT records that are due. A round only claims them; each look-up then runs under a
 * lease of its own, outside of any transaction, so that none waits for another's slow server.
 */
export class VerificationPoller {
  readonly #parts: PollerParts;
  readonly #stopping = new AbortController();
  /** With the account that each is made for. */
  readonly #running = new Map<Promise<void>, string>();

  /** Adds the rounds to the periodic work, before that is started. */
  constructor(parts: PollerParts) {
    this.#parts = parts;
    parts.work.add({
      name: JOB,
      intervalMs: Math.min(parts.shortestGapMs, MAX_ROUND_INTERVAL_MS),
      onEveryNode: true,
      run: (signal) => this.#claimDue(signal),
    });
  }

  /** After the commit: looks up what is due now rather than in some seconds. Never waits or throws. */
  kick(): void {
    void this.#parts.work.runNow(JOB);
  }

  /** Begins no more look-ups, cuts off those that run and lets other nodes have them at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.keys());
  }

  async #claimDue(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    for (;;) {
      const free = MAX_LOOK_UPS_AT_ONCE - this.#running.size;
      if (free <= 0) return;
      // Each is claimed, here or elsewhere, before the next look, or its account is busy then, so
      // this comes to an end.
      const busy = this.#busyAccounts();
      const batch = await selectDueVerifications(database.read, clock.now(), free, busy);
      if (batch.length === 0) return;
      for (const due of batch) {
        signal.throwIfAborted();
        if (this.#stopping.signal.aborted) return;
        if (this.#isBusy(due.accountId)) continue;
        await this.#claim(due);
      }
    }
  }

  /** Whether as many look-ups are made for an account as may be at once. */
  #isBusy(accountId: string): boolean {
    return this.#busyAccounts().includes(accountId);
  }

  #busyAccounts(): string[] {
    const byAccount = Map.groupBy(this.#running.values(), (accountId) => accountId);
    return [...byAccount]
      .filter(([, running]) => running.length >= MAX_LOOK_UPS_PER_ACCOUNT)
      .map(([accountId]) => accountId);
  }

  async #claim(due: DueVerification): Promise<void> {
    const { database, clock } = this.#parts;
    const leaseId = createId();
    const nowMs = clock.now();
    const isMine = await database.transaction((tx) => claimVerification(tx, due, leaseId, nowMs));
    if (!isMine) return;
    if (this.#stopping.signal.aborted) return this.#giveBack(due, leaseId);
    const check = this.#check(due, leaseId).then((isDueAgain) => {
      const wasFull = this.#running.size >= MAX_LOOK_UPS_AT_ONCE || this.#isBusy(due.accountId);
      this.#running.delete(check);
      if (isDueAgain || wasFull) this.kick();
    });
    this.#running.set(check, due.accountId);
  }

  /** @returns whether it must be looked up again at once; never throws */
  async #check(due: DueVerification, leaseId: string): Promise<boolean> {
    const { clock, report, lookUp, shortestGapMs } = this.#parts;
    const { verification } = due;
    try {
      const texts = await lookUpTxt(verification.host, lookUp, this.#stopping.signal);
      const isStored =
        !this.#stopping.signal.aborted &&
        (await this.#settle(
          due,
          leaseId,
          judgeLookUp(verification, compare(texts, verification), shortestGapMs, clock.now()),
        ));
      if (isStored) return false;
      await this.#giveBack(due, leaseId);
      return !this.#stopping.signal.aborted;
    } catch (error) {
      // When its lease is over it is due again, here or on another node.
      report(error as Error, `the look-up of a client's TXT record failed and will be tried again`);
      return false;
    }
  }

  /** @returns whether the outcome still counted */
  async #settle(
    due: DueVerification,
    leaseId: string,
    { verification, event }: ReturnType<typeof judgeLookUp>,
  ): Promise<boolean> {
    const { database, clock } = this.#parts;
    return database.transaction(async (tx) => {
      if (!(await storeOutcome(tx, due, leaseId, verification))) return false;
      if (event !== undefined) await appendAudit(tx, verificationEntry(due, event), clock.now());
      return true;
    });
  }

  async #giveBack({ clientId }: DueVerification, leaseId: string): Promise<void> {
    const { database } = this.#parts;
    await database.transaction((tx) => giveVerificationBack(tx, clientId, leaseId));
  }
}

/** @param texts undefined when nobody answered */
function compare(texts: readonly string[] | undefined, { text }: Verification): LookUpResult {
  if (texts === undefined) return 'no_answer';
  if (texts.includes(text)) return 'found';
  return texts.length === 0 ? 'no_record' : 'other_records';
}
