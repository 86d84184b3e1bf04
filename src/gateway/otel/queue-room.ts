/** The memory that the queues of all receivers share. */
export class QueueRoom {
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
   * Takes room for a span, when there is some. A queue may hold no more than is left for all others:
   * however many receivers take nothing, there is room for one more.
   * @param heldBytes what the queue of the span holds already
   * @returns whether there was
   */
  take(bytes: number, heldBytes: number): boolean {
    if (heldBytes + bytes > this.#maxBytes - this.#bytes) return false;
    this.#bytes += bytes;
    this.#spans++;
    return true;
  }

  give(bytes: number, spans: number): void {
    this.#bytes -= bytes;
    this.#spans -= spans;
  }
}
