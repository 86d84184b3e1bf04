/** The memory that the queues of all receivers share. */
export class QueueBudget {
  readonly #maxBytes: number;
  #bytes = 0;
  #spans = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Spans in all queues. */
  get spans(): number {
    return this.#spans;
  }

  /**
   * Reserves memory for a span. A queue may hold at most as much as is left for all others, so that receivers that
   * accept nothing cannot use up the budget.
   * @param heldBytes bytes in the queue of the span
   * @returns false if the budget does not allow it
   */
  take(bytes: number, heldBytes: number): boolean {
    if (heldBytes + bytes > this.#maxBytes - this.#bytes) return false;
    this.#bytes += bytes;
    this.#spans++;
    return true;
  }

  /** Releases the memory of spans. */
  release(bytes: number, spans: number): void {
    this.#bytes -= bytes;
    this.#spans -= spans;
  }
}
