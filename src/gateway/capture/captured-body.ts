import type { ResponseObserver } from '../response/response-sink.ts';
import type { PayloadBudget } from './payload-budget.ts';

// A copy of a smaller chunk costs less than its object.
const SMALL_CHUNK_BYTES = 4 * 1024;
const FIRST_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 32 * 1024;

const NONE = Buffer.alloc(0);

/**
 * Captures the beginning of a body for the log. Large chunks are stored without a copy, because Node.js never reuses the
 * buffers of a socket. Small chunks are copied into blocks.
 */
export class CapturedBody implements ResponseObserver {
  readonly #budget: PayloadBudget;
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  /** The block for small chunks, and the length of its filled part. */
  #block = NONE;
  #blockEnd = 0;
  #keptBytes = 0;
  #size = 0;
  #isClosed = false;

  /** @param maxBytes the rest of the body is only counted */
  constructor(budget: PayloadBudget, maxBytes: number) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
  }

  /** Size of the whole body so far. */
  get size(): number {
    return this.#size;
  }

  /** @param chunk must not be changed later */
  onChunk(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isClosed || chunk.length === 0) return;
    const left = this.#maxBytes - this.#keptBytes;
    const part = chunk.length <= left ? chunk : chunk.subarray(0, left);
    // Nothing is stored after a gap, because it would look like the next bytes.
    if (part.length < chunk.length) this.#isClosed = true;
    if (part.length === 0 || !this.#budget.take(part.length)) {
      this.#isClosed = true;
      return;
    }
    this.#keptBytes += part.length;
    if (ownsItsMemory(part)) {
      this.#endBlock();
      this.#pieces.push(part);
    } else {
      this.#gather(part);
    }
  }

  /** Returns the captured pieces and releases their budget. Call it once. */
  take(): Buffer[] {
    this.#endBlock();
    this.release();
    return this.#pieces;
  }

  /** Drops the captured pieces. */
  release(): void {
    this.#isClosed = true;
    this.#budget.release(this.#keptBytes);
    this.#keptBytes = 0;
  }

  #gather(part: Buffer): void {
    let position = 0;
    while (position < part.length) {
      if (this.#blockEnd === this.#block.length) this.#beginBlock(part.length - position);
      const copied = part.copy(this.#block, this.#blockEnd, position);
      this.#blockEnd += copied;
      position += copied;
    }
  }

  #beginBlock(bytes: number): void {
    const former = this.#block.length;
    this.#endBlock();
    const wanted = Math.max(bytes, FIRST_BLOCK_BYTES, 2 * former);
    this.#block =
      wanted === FIRST_BLOCK_BYTES
        ? takeFirstBlock()
        : Buffer.allocUnsafeSlow(Math.min(wanted, MAX_BLOCK_BYTES));
  }

  #endBlock(): void {
    if (this.#blockEnd > 0) this.#pieces.push(this.#block.subarray(0, this.#blockEnd));
    this.#block = NONE;
    this.#blockEnd = 0;
  }
}

// Most responses need one block, and a separate allocation for each is expensive. Few blocks share one, because a block in
// use keeps the memory of the others.
const SHEET_BYTES = 16 * FIRST_BLOCK_BYTES;
let sheet = NONE;
let sheetEnd = 0;

function takeFirstBlock(): Buffer<ArrayBuffer> {
  if (sheetEnd === sheet.length) {
    sheet = Buffer.allocUnsafeSlow(SHEET_BYTES);
    sheetEnd = 0;
  }
  return sheet.subarray(sheetEnd, (sheetEnd += FIRST_BLOCK_BYTES));
}

/** Returns true if a chunk uses at least half of its buffer: it may be a slice of a larger one. */
function ownsItsMemory(chunk: Buffer): boolean {
  return chunk.length >= SMALL_CHUNK_BYTES && 2 * chunk.length >= chunk.buffer.byteLength;
}
