import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReportTrouble } from '../storage/invalidation.ts';

// Each is one short transaction.
const MAX_PENDING = 1_000;

/**
 * Work that is done after the answer is out: its duration would tell the caller something, such as
 * whether a person exists. It is lost when the process ends at once, so nothing may depend on it.
 */
export class Afterwards {
  readonly #report: ReportTrouble;
  readonly #pending = new Set<Promise<void>>();

  constructor(report: ReportTrouble) {
    this.#report = report;
  }

  /**
   * Begins the work soon. Trouble with it is reported, as is work that is left out because too much
   * is waiting.
   * @param what it does, for the report
   */
  run(what: string, work: () => Promise<unknown>): void {
    if (this.#pending.size >= MAX_PENDING) {
      this.#report(new Error('too much is waiting'), `${what}: left out`);
      return;
    }
    const done = this.#do(what, work).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }

  async #do(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await nextTurn();
      await work();
    } catch (error) {
      this.#report(error as Error, `${what}: failed`);
    }
  }

  /** Waits for what has begun. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
