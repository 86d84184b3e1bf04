const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACES = /^[ \t\r\n]*$/;

/** Finds the end of a JSON object or array whose text arrives in pieces. */
export class JsonProgress {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #state: 'empty' | 'begun' | 'complete' = 'empty';

  /** The text so far is white space. */
  get isEmpty(): boolean {
    return this.#state === 'empty';
  }

  /** The object or array is closed. False for all other values: the end of a number is unknown. */
  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  feed(text: string): void {
    if (this.#state !== 'begun' && SPACES.test(text)) return;
    this.#state = 'begun';
    for (let at = 0; at < text.length; at++) this.#read(text.charCodeAt(at));
  }

  #read(code: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInString = false;
      return;
    }
    if (code === QUOTE) this.#isInString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.#depth--;
      if (this.#depth === 0) this.#state = 'complete';
    }
  }
}
