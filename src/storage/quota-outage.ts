import type { Clock } from '../lib/clock.ts';
import type { ReportTrouble } from './invalidation.ts';

const RETRY_INTERVAL_MS = 1_000;

/** The time in which the database does not answer, and quotas are granted on credit. */
export class QuotaOutage {
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  // The time of the last failure, or of the last attempt after it.
  #latestMs: number | undefined;

  constructor(clock: Clock, report: ReportTrouble) {
    this.#clock = clock;
    this.#report = report;
  }

  get isOn(): boolean {
    return this.#latestMs !== undefined;
  }

  /** The database did not answer. Only the beginning of an outage is reported. */
  fail(error: Error): void {
    if (!this.isOn) this.#report(error, 'failed to lease quotas: calls continue on credit');
    this.#latestMs = this.#clock.now();
  }

  /** The database has answered. */
  end(): void {
    this.#latestMs = undefined;
  }

  /** While the database does not answer, one caller in each interval tries again. */
  mayAsk(): boolean {
    if (this.#latestMs === undefined) return true;
    const nowMs = this.#clock.now();
    const sinceMs = nowMs - this.#latestMs;
    // A clock that was set back makes it negative.
    if (sinceMs >= 0 && sinceMs < RETRY_INTERVAL_MS) return false;
    this.#latestMs = nowMs;
    return true;
  }
}
