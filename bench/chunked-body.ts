const LINE_END = '\r\n';

/** Decodes a body with chunked transfer coding (RFC 9112 section 7.1), without trailers. */
export class ChunkedBody {
  /** Of a size line. */
  #rest = '';
  /** Bytes of the chunk still to come, with the line end after it. */
  #left = 0;
  #isLast = false;

  get isWhole(): boolean {
    return this.#isLast && this.#left === 0;
  }

  /** @returns what these bytes, as Latin-1, hold of the body */
  take(bytes: string): string {
    const text = this.#rest + bytes;
    this.#rest = '';
    let body = '';
    let at = 0;
    while (at < text.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, text.length - at);
        const ofBody = Math.max(0, Math.min(taken, this.#left - LINE_END.length));
        body += text.slice(at, at + ofBody);
        at += taken;
        this.#left -= taken;
        continue;
      }
      const end = text.indexOf(LINE_END, at);
      if (end === -1) {
        this.#rest = text.slice(at);
        break;
      }
      const size = Number.parseInt(text.slice(at, end), 16);
      if (Number.isNaN(size)) throw new Error('not a chunk');
      at = end + LINE_END.length;
      this.#left = size + LINE_END.length;
      this.#isLast = size === 0;
    }
    return body;
  }
}
