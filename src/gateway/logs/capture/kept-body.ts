import type { PayloadRoom } from './payload-room.ts';

// Below this, a copy costs less than what an object for each chunk takes for itself.
const SMALL_CHUNK_BYTES = 4 * 1024;
const FIRST_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 32 * 1024;

const NONE = Buffer.alloc(0);

/**
 * The begin of a body, kept for the log while the body passes. Large chunks are kept as they are, which
 * is safe: what a socket was read into is never read into again. Small ones are gathered in blocks.
 */
export class KeptBody {
  readonly #room: PayloadRoom;
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  /** Into which small chunks are gathered, and how far it is filled. */
  #block = NONE;
  #blockEnd = 0;
  #keptBytes = 0;
  #size = 0;
  #isClosed = false;

  /** @param maxBytes what goes beyond is counted, and not kept */
  constructor(room: PayloadRoom, maxBytes: number) {
    this.#room = room;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that went by. */
  get size(): number {
    return this.#size;
  }

  /** Takes the next chunk, which nobody may change from now on. */
  feed(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isClosed || chunk.length === 0) return;
    const left = this.#maxBytes - this.#keptBytes;
    const part = chunk.length <= left ? chunk : chunk.subarray(0, left);
    // Behind a gap there is nothing to be kept: it would pass for what comes in the gap's place.
    if (part.length < chunk.length) this.#isClosed = true;
    if (part.length === 0 || !this.#room.take(part.length)) {
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

  /** What was kept, in pieces. It may be called once, and takes no room any more. */
  take(): Buffer[] {
    this.#endBlock();
    this.release();
    return this.#pieces;
  }

  /** Nothing of it is wanted any more. */
  release(): void {
    this.#isClosed = true;
    this.#room.release(this.#keptBytes);
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

// Most answers need one block, and a piece of memory of its own for each costs more than what is done
// with it. Few, since one that lasts keeps the others' memory.
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

/** Whether keeping a chunk keeps little else: it may be a slice of what was read at once. */
function ownsItsMemory(chunk: Buffer): boolean {
  return chunk.length >= SMALL_CHUNK_BYTES && 2 * chunk.length >= chunk.buffer.byteLength;
}
