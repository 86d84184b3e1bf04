import type { ResponseObserver } from '../response/response-sink.ts';
import type { CapturedBody } from './captured-body.ts';

// The row is expected to appear soon.
const MAX_WAIT_MS = 1_000;

/**
 * Captures a response that the client does not get, because another attempt or step follows. The log row waits for its end
 * for a moment.
 */
export class RejectedCapture implements ResponseObserver {
  readonly #body: CapturedBody;
  #isOver = false;
  #onOver: (() => void) | undefined;

  constructor(body: CapturedBody) {
    this.#body = body;
  }

  onChunk(chunk: Buffer): void {
    this.#body.onChunk(chunk);
  }

  onEnd(): void {
    this.#isOver = true;
    this.#onOver?.();
  }

  /** Calls back once: at the end of the response, or after the longest wait. */
  whenOver(callback: () => void): void {
    if (this.#isOver) return callback();
    const timer = setTimeout(() => this.#onOver?.(), MAX_WAIT_MS);
    this.#onOver = () => {
      this.#onOver = undefined;
      clearTimeout(timer);
      callback();
    };
  }
}
