/** What a piece of JSON is, for its colour. */
export type TokenKind = 'name' | 'text' | 'number' | 'word' | 'sign';

/** A piece of JSON on one line. */
export interface JsonToken {
  kind: TokenKind;
  text: string;
}

/** One line of JSON as it is laid out for people. */
export interface JsonLine {
  depth: number;
  tokens: JsonToken[];
}

/** As many lines as were wanted. */
export interface JsonLayout {
  lines: JsonLine[];
  /** Whether there is no more. */
  isAll: boolean;
}

const SPACE = /[\s,]*/y;
const NUMBERS = /\[[\d\s,.eE+-]*\]/y;
const BARE = /[^\s"{}[\],:]+/y;
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/**
 * Lays JSON out in lines. It goes by the text alone: numbers stay as they were written, nothing is lost of
 * what comes twice, and what is broken or cut off is laid out as far as it goes.
 * @param most so many lines are enough
 */
export function layOutJson(text: string, most: number): JsonLayout {
  return new Layout(text).upTo(most);
}

class Layout {
  readonly #text: string;
  readonly #lines: JsonLine[] = [];
  #line: JsonLine = { depth: 0, tokens: [] };
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  upTo(most: number): JsonLayout {
    this.#skip();
    while (this.#position < this.#text.length) {
      if (this.#lines.length >= most) return { lines: this.#lines, isAll: false };
      this.#take();
      this.#skip();
    }
    this.#endLine();
    return { lines: this.#lines, isAll: true };
  }

  #take(): void {
    const text = this.#text;
    const sign = text[this.#position] ?? '';
    if (sign === '{' || sign === '[') return this.#open(sign);
    if (sign === '}' || sign === ']') return this.#close(sign);
    if (sign === ':') {
      this.#position++;
      return this.#add('sign', ': ');
    }
    if (sign === '"') return this.#takeText();
    const bare = this.#match(BARE);
    this.#add(WORDS.has(bare) ? 'word' : 'number', bare);
    this.#endValue();
  }

  #open(sign: string): void {
    const numbers = sign === '[' ? this.#match(NUMBERS) : '';
    if (numbers !== '') {
      // An embedding has thousands, which say nothing line by line.
      this.#add('number', numbers.replaceAll(/\s+/g, ' ').replaceAll(/,(?=\S)/g, ', '));
      return this.#endValue();
    }
    const closing = sign === '{' ? '}' : ']';
    this.#position++;
    SPACE.lastIndex = this.#position;
    SPACE.test(this.#text);
    if (this.#text[SPACE.lastIndex] === closing) {
      this.#position = SPACE.lastIndex + 1;
      this.#add('sign', sign + closing);
      return this.#endValue();
    }
    this.#add('sign', sign);
    this.#endLine();
    this.#depth++;
  }

  #close(sign: string): void {
    this.#endLine();
    this.#depth = Math.max(0, this.#depth - 1);
    this.#position++;
    this.#add('sign', sign);
    this.#endValue();
  }

  #takeText(): void {
    const start = this.#position;
    this.#position = endOfText(this.#text, start);
    const text = this.#text.slice(start, this.#position);
    const isName = /\s*:/y;
    isName.lastIndex = this.#position;
    if (isName.test(this.#text)) return this.#add('name', text);
    this.#add('text', text);
    this.#endValue();
  }

  /** A value is over: with its comma, if there is one, so is the line. */
  #endValue(): void {
    const comma = /\s*,/y;
    comma.lastIndex = this.#position;
    if (comma.test(this.#text)) this.#add('sign', ',');
    this.#endLine();
  }

  #add(kind: TokenKind, text: string): void {
    if (this.#line.tokens.length === 0) this.#line.depth = this.#depth;
    this.#line.tokens.push({ kind, text });
  }

  #endLine(): void {
    if (this.#line.tokens.length > 0) this.#lines.push(this.#line);
    this.#line = { depth: this.#depth, tokens: [] };
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#position += found.length;
    return found;
  }
}

/** Behind the quote that ends a text; the end of everything, when it is cut off. */
function endOfText(text: string, start: number): number {
  for (
    let quote = text.indexOf('"', start + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
