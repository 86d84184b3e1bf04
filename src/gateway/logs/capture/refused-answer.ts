import type { KeptBody } from './kept-body.ts';

// Nobody waits for a log row, but whoever looks for it expects it soon.
const MAX_WAIT_MS = 1_000;

/**
 * A provider's answer that the client does not get, since there is another try. What still comes of it
 * is for the log, whose row waits for it for a moment.
 */
export class RefusedAnswer {
  readonly #kept: KeptBody;
  #isOver = false;
  #tell: (() => void) | undefined;

  constructor(kept: KeptBody) {
    this.#kept = kept;
  }

  feed(chunk: Buffer): void {
    this.#kept.feed(chunk);
  }

  /** No more of it comes. */
  end(): void {
    this.#isOver = true;
    this.#tell?.();
  }

  /** Calls back once, when all of it is there or it has taken too long; now, if possible. */
  whenOver(callback: () => void): void {
    if (this.#isOver) return callback();
    const timer = setTimeout(() => this.#tell?.(), MAX_WAIT_MS);
    this.#tell = () => {
      this.#tell = undefined;
      clearTimeout(timer);
      callback();
    };
  }
}
