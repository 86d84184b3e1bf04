import { randomInt } from 'node:crypto';

const STEP = 0x6d2b79f5;
const RANGE = 2 ** 32;

/** Random numbers that come again from the same seed (mulberry32); for tests alone. */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed = randomInt(2 ** 31)) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** From 0 to below 2³². */
  bits(): number {
    this.#state = (this.#state + STEP) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.bits() / RANGE;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** A whole number of the range; both ends may come. */
  between(least: number, greatest: number): number {
    return least + this.below(greatest - least + 1);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of them, each as likely as the other. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined && choices.length === 0) throw new Error('there is nothing to pick');
    return choice as T;
  }

  /** This many bytes. */
  bytes(length: number): Buffer {
    return Buffer.from(Uint8Array.from({ length }, () => this.below(256)));
  }

  /** This many characters of the alphabet. */
  text(length: number, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  /** What looks like the id of something. */
  id(): string {
    return this.text(32, '0123456789abcdef');
  }
}
