// Total length, length of the headers, checksum of the two.
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
// AWS allows a payload of 16 MiB and headers of 128 KiB; more is no such stream.
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;

/**
 * Finds the payloads in `application/vnd.amazon.eventstream`: each message is a prelude, headers, a
 * payload and a checksum. The checksums are the client's to check.
 */
export class AwsEventStreamPayloads {
  readonly #onPiece: (piece: Buffer) => void;
  readonly #onEnd: () => void;
  readonly #prelude = Buffer.alloc(PRELUDE_BYTES);
  #preludeLength = 0;
  #skip = 0;
  #payload = 0;
  #isBroken = false;

  /**
   * @param onPiece takes a part of the payload that is passing by
   * @param onEnd a payload is complete
   */
  constructor(onPiece: (piece: Buffer) => void, onEnd: () => void) {
    this.#onPiece = onPiece;
    this.#onEnd = onEnd;
  }

  feed(chunk: Buffer): void {
    let position = 0;
    while (position < chunk.length && !this.#isBroken) {
      if (this.#skip > 0) {
        const bytes = Math.min(this.#skip, chunk.length - position);
        this.#skip -= bytes;
        position += bytes;
      } else if (this.#payload > 0) {
        const piece = chunk.subarray(position, position + this.#payload);
        position += piece.length;
        this.#takePayload(piece);
      } else {
        const bytes = chunk.copy(this.#prelude, this.#preludeLength, position);
        this.#preludeLength += bytes;
        position += bytes;
        if (this.#preludeLength === PRELUDE_BYTES) this.#beginMessage();
      }
    }
  }

  #takePayload(piece: Buffer): void {
    this.#onPiece(piece);
    this.#payload -= piece.length;
    if (this.#payload > 0) return;
    this.#skip = CHECKSUM_BYTES;
    this.#onEnd();
  }

  #beginMessage(): void {
    this.#preludeLength = 0;
    const bytes = this.#prelude.readUInt32BE(0);
    const headerBytes = this.#prelude.readUInt32BE(4);
    this.#payload = bytes - headerBytes - PRELUDE_BYTES - CHECKSUM_BYTES;
    this.#isBroken = bytes > MAX_MESSAGE_BYTES || this.#payload < 0;
    this.#skip = this.#payload === 0 ? headerBytes + CHECKSUM_BYTES : headerBytes;
  }
}
