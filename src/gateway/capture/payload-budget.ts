/**
 * Limits the memory of all responses that are being captured for the log. A response that exceeds it is truncated in the log.
 */
export class PayloadBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false if the limit does not allow that many bytes */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Releases bytes of {@link take}. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
