/**
 * Chunks carry the time at which they were written, in microseconds of the clock that all processes of
 * one machine share, so that whoever reads them knows how long they took.
 */
const BEFORE_STAMP = '"content":"@';
const STAMP_DIGITS = 16;

export const nowUs = (): number => Number(process.hrtime.bigint() / 1_000n);

/** A chunk of a chat completion as an SSE event, always of the same length. */
export function stampedEvent(): string {
  const stamp = String(nowUs()).padStart(STAMP_DIGITS, '0');
  return `data: {"id":"chatcmpl-stream","object":"chat.completion.chunk","created":1,"model":"static","choices":[{"index":0,"delta":{${BEFORE_STAMP}${stamp}"},"finish_reason":null}]}\n\n`;
}

/** Finds the stamps in a text that comes in pieces. */
export class StampReader {
  readonly #onStamp: (stampUs: number) => void;
  #rest = '';

  constructor(onStamp: (stampUs: number) => void) {
    this.#onStamp = onStamp;
  }

  feed(piece: string): void {
    const text = this.#rest + piece;
    let from = 0;
    for (;;) {
      const at = text.indexOf(BEFORE_STAMP, from);
      const end = at + BEFORE_STAMP.length + STAMP_DIGITS;
      if (at === -1 || end > text.length) {
        // A mark that has begun, or may have.
        this.#rest = text.slice(at === -1 ? Math.max(from, text.length - BEFORE_STAMP.length) : at);
        return;
      }
      this.#onStamp(Number(text.slice(end - STAMP_DIGITS, end)));
      from = end;
    }
  }
}
