// Total length, length of the headers, checksum of the two.
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
// AWS allows a payload of 16 MiB and headers of 128 KiB.
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
const MAX_HEADER_BYTES = 128 * 1024;
const STRING_TYPE = 7;
/** Bytes of the value by the type of a header; those with a length before them are missing. */
const VALUE_BYTES: readonly (number | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  undefined,
  undefined,
  8,
  16,
];

/** Receives the parts of each message. */
export interface AwsEventHandlers {
  /** A header whose value is a string. */
  onHeader(name: string, value: string): void;
  /** A part of the payload. */
  onPayload(piece: Buffer): void;
  /** The payload is complete. */
  onEnd(): void;
}

/**
 * Reads `application/vnd.amazon.eventstream`: each message is a prelude, headers, a payload and a
 * checksum. It does not verify the checksums, because the client does.
 */
export class AwsEventStream {
  readonly #handlers: AwsEventHandlers;
  readonly #prelude = Buffer.alloc(PRELUDE_BYTES);
  #preludeLength = 0;
  #headers = Buffer.alloc(0);
  #headerLength = 0;
  #payload = 0;
  #checksum = 0;
  #isBroken = false;

  constructor(handlers: AwsEventHandlers) {
    this.#handlers = handlers;
  }

  /** The stream is well formed, and does not end inside a message. */
  get isWhole(): boolean {
    return !this.#isBroken && this.#preludeLength === 0 && this.#checksum === 0;
  }

  feed(chunk: Buffer): void {
    let position = 0;
    while (position < chunk.length && !this.#isBroken) {
      if (this.#headerLength < this.#headers.length) {
        const bytes = chunk.copy(this.#headers, this.#headerLength, position);
        this.#headerLength += bytes;
        position += bytes;
        if (this.#headerLength === this.#headers.length) this.#endHeaders();
      } else if (this.#payload > 0) {
        const piece = chunk.subarray(position, position + this.#payload);
        position += piece.length;
        this.#payload -= piece.length;
        this.#handlers.onPayload(piece);
        if (this.#payload === 0) this.#handlers.onEnd();
      } else if (this.#checksum > 0) {
        const bytes = Math.min(this.#checksum, chunk.length - position);
        this.#checksum -= bytes;
        position += bytes;
      } else {
        const bytes = chunk.copy(this.#prelude, this.#preludeLength, position);
        this.#preludeLength += bytes;
        position += bytes;
        if (this.#preludeLength === PRELUDE_BYTES) this.#beginMessage();
      }
    }
  }

  #beginMessage(): void {
    this.#preludeLength = 0;
    const bytes = this.#prelude.readUInt32BE(0);
    const headerBytes = this.#prelude.readUInt32BE(4);
    this.#payload = bytes - headerBytes - PRELUDE_BYTES - CHECKSUM_BYTES;
    this.#checksum = CHECKSUM_BYTES;
    this.#isBroken =
      bytes > MAX_MESSAGE_BYTES || headerBytes > MAX_HEADER_BYTES || this.#payload < 0;
    this.#headers = Buffer.alloc(this.#isBroken ? 0 : headerBytes);
    this.#headerLength = 0;
  }

  /** A header is the length of its name, the name, the type of its value, and the value. */
  #endHeaders(): void {
    const headers = this.#headers;
    let position = 0;
    while (position < headers.length) {
      const nameEnd = position + 1 + (headers[position] ?? 0);
      const name = headers.toString('latin1', position + 1, nameEnd);
      const type = headers[nameEnd] ?? Number.NaN;
      const fixed = VALUE_BYTES[type];
      const start = nameEnd + (fixed === undefined ? 3 : 1);
      if (start > headers.length) break;
      const end = start + (fixed ?? headers.readUInt16BE(nameEnd + 1));
      if (type === STRING_TYPE) this.#handlers.onHeader(name, headers.toString('utf8', start, end));
      position = end;
    }
    if (position !== headers.length) this.#isBroken = true;
  }
}
