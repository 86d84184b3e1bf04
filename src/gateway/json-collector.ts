const MAX_BYTES = 1024 * 1024;
const WINDOW_BYTES = 64 * 1024;
const LEAST_BYTES = 4 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Collects one JSON text that comes in pieces: whole up to 1 MiB; of a longer one, such as a list of
 * embeddings, the first and the last 64 KiB. Pieces are copied, so that the memory they are cut from
 * is not held.
 */
export class JsonCollector {
  #start = NOTHING;
  #length = 0;
  /** Room for two windows: the last one moves to the front when it is full. */
  #end: Buffer | undefined;
  #endLength = 0;

  feed(piece: Buffer): void {
    if (this.#end !== undefined) return this.#slide(this.#end, piece);
    const length = this.#length + piece.length;
    if (length > MAX_BYTES) return this.#beginWindows(piece);
    if (length > this.#start.length) this.#grow(length);
    piece.copy(this.#start, this.#length);
    this.#length = length;
  }

  /** What there is of the text; `end` is undefined when `start` is all of it. */
  read(): { start: Buffer; end: Buffer | undefined } {
    const start = this.#start.subarray(0, this.#length);
    const from = Math.max(0, this.#endLength - WINDOW_BYTES);
    return { start, end: this.#end?.subarray(from, this.#endLength) };
  }

  /** Forgets the text; the next piece begins another one. */
  reset(): void {
    this.#length = 0;
    this.#end = undefined;
    // One long event in a stream must not hold its room until the stream ends.
    if (this.#start.length > WINDOW_BYTES) this.#start = NOTHING;
  }

  #grow(length: number): void {
    const room = Math.max(LEAST_BYTES, length, this.#start.length * 2);
    const larger = Buffer.allocUnsafeSlow(Math.min(room, MAX_BYTES));
    this.#start.copy(larger, 0, 0, this.#length);
    this.#start = larger;
  }

  #beginWindows(piece: Buffer): void {
    const collected = this.#start.subarray(0, this.#length);
    const end = Buffer.allocUnsafeSlow(2 * WINDOW_BYTES);
    this.#endLength = 0;
    this.#slide(end, collected.subarray(-WINDOW_BYTES));
    const start = Buffer.allocUnsafeSlow(WINDOW_BYTES);
    const copied = collected.copy(start);
    this.#length = Math.min(WINDOW_BYTES, copied + piece.copy(start, copied));
    this.#start = start;
    this.#slide(end, piece);
    this.#end = end;
  }

  #slide(end: Buffer, piece: Buffer): void {
    const last = piece.subarray(-WINDOW_BYTES);
    if (this.#endLength + last.length > end.length) {
      end.copyWithin(0, this.#endLength - WINDOW_BYTES, this.#endLength);
      this.#endLength = WINDOW_BYTES;
    }
    last.copy(end, this.#endLength);
    this.#endLength += last.length;
  }
}
