import { randomInt } from 'node:crypto';
import type { ReportTrouble } from '../storage/invalidation.ts';

// Each is one short transaction.
const MAX_PENDING = 1_000;

// Work on this thread slows the caller's next request down, so nobody must know when it comes.
const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 2_000;

/**
 * Work that is done some time after the answer is out: its duration would tell the caller something,
 * such as whether a person exists. It is lost when the process ends at once, so nothing may depend on
 * it.
 */
export class Afterwards {
  readonly #report: ReportTrouble;
  /** What begins the work that waits. */
  readonly #waiting = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();

  constructor(report: ReportTrouble) {
    this.#report = report;
  }

  /**
   * Begins the work within two seconds. Trouble with it is reported, as is work that is left out
   * because too much is waiting.
   * @param what it does, for the report
   */
  run(what: string, work: () => Promise<unknown>): void {
    if (this.#waiting.size + this.#running.size >= MAX_PENDING) {
      this.#report(new Error('too much is waiting'), `${what}: left out`);
      return;
    }
    const begin = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(begin);
      const done = this.#do(what, work).finally(() => this.#running.delete(done));
      this.#running.add(done);
    };
    const timer = setTimeout(begin, randomInt(MIN_DELAY_MS, MAX_DELAY_MS)).unref();
    this.#waiting.add(begin);
  }

  async #do(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(error as Error, `${what}: failed`);
    }
  }

  /** Begins at once what waits, and waits for its end. */
  async settled(): Promise<void> {
    for (const begin of this.#waiting) begin();
    await Promise.all(this.#running);
  }
}
