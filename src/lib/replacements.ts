/** What stands where a credential stood. */
export const REDACTED = '[redacted]';

const REPLACEMENT = Buffer.from(REDACTED);

/** Gathers which stretches of a text are replaced; they come in order, and do not overlap. */
export class Replacements {
  readonly #body: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  #end = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** Puts {@link REDACTED} in the place of a stretch. */
  replace(start: number, end: number): void {
    this.#pieces.push(this.#body.subarray(this.#end, start), REPLACEMENT);
    this.#end = end;
  }

  /** @returns the text itself when nothing was replaced */
  apply(): Uint8Array {
    if (this.#pieces.length === 0) return this.#body;
    return Buffer.concat([...this.#pieces, this.#body.subarray(this.#end)]);
  }
}
