/**
 * What the answers that are kept for the log may take together while they pass. An answer that finds no
 * room is kept as far as it had some: logs must not be what a server runs out of memory for.
 */
export class PayloadRoom {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are taken now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false when there is no room for that many bytes */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
