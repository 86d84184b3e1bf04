import type { Clock } from '../../src/lib/clock.ts';

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }
}
