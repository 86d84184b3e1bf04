import type { Clock } from '../lib/clock.ts';
import type { ReportTrouble } from './invalidation.ts';

// What a clock that is merely corrected is set forward by, at the very most.
const BELIEVED_STEP_MS = 10 * 60_000;
// For somebody to see that the clock is wrong, and set it right.
const DOUBT_MS = 60 * 60_000;
const SECOND_MS = 1_000;

/**
 * Tells whoever deletes what is old how late it is. When the clock was set forward far, most of what there
 * is has expired at once; if that was a mistake, nothing brings it back. So such a step is believed an hour
 * later only, and until then time passes here as if there had been none.
 */
export class DeletionClock implements Clock {
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  #believed: { nowMs: number; elapsedMs: number };
  #doubtedSinceMs: number | undefined;

  constructor(clock: Clock, report: ReportTrouble) {
    this.#clock = clock;
    this.#report = report;
    this.#believed = { nowMs: clock.now(), elapsedMs: clock.elapsedMs?.() ?? 0 };
  }

  now(): number {
    const nowMs = this.#clock.now();
    const elapsedMs = this.#clock.elapsedMs?.();
    // A clock that knows of no other time is believed.
    if (elapsedMs === undefined) return nowMs;
    const expectedMs = this.#believed.nowMs + elapsedMs - this.#believed.elapsedMs;
    const stepMs = nowMs - expectedMs;
    if (stepMs > BELIEVED_STEP_MS && !this.#isDoubtOver(elapsedMs, stepMs)) return expectedMs;
    this.#doubtedSinceMs = undefined;
    this.#believed = { nowMs, elapsedMs };
    return nowMs;
  }

  #isDoubtOver(elapsedMs: number, stepMs: number): boolean {
    if (this.#doubtedSinceMs === undefined) {
      this.#doubtedSinceMs = elapsedMs;
      const seconds = Math.round(stepMs / SECOND_MS);
      this.#report(
        new Error(`the clock jumped forward by ${seconds} s`),
        'expired data is kept for another hour',
      );
    }
    return elapsedMs - this.#doubtedSinceMs >= DOUBT_MS;
  }
}
