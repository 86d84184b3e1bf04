import { randomInt } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';

const EPOCH_MS = Date.UTC(2025, 0, 1);
// 2^53 / 4096 ms are 69 years.
const NUMBERS_PER_MS = 4_096;
// Steps of random width, so that two nodes that have met once do not go on step by step together.
const MAX_STEP = 16;

/**
 * Gives resources their place in lists: integers below 2^53 that grow with time, made here because a
 * sequence of the database would be a bottleneck on many nodes. Nodes choose at random within a
 * millisecond; the rare two that choose alike meet at the primary key, and one asks for another number.
 */
export class ResourceSequence {
  readonly #clock: Clock;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  next(): number {
    const sinceEpochMs = Math.max(0, Math.trunc(this.#clock.now()) - EPOCH_MS);
    const fresh = sinceEpochMs * NUMBERS_PER_MS + randomInt(NUMBERS_PER_MS);
    this.#last = Math.max(this.#last + randomInt(1, MAX_STEP + 1), fresh);
    return this.#last;
  }
}
