import { Replacements } from '../../lib/replacements.ts';
import { isPlainHeader, kindOfName } from '../../lib/credential-names.ts';
import { PlainNames } from './plain-names.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const PLAIN_QUOTE = Buffer.from([QUOTE]);
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

/** n, r, t */
const ESCAPED_SPACES: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74]);

// In which the next quote is looked for without a call that costs more than the look.
const NEAR_BYTES = 64;

// Names of credentials are shorter, whoever writes them.
const MAX_NAME_BYTES = 128;
/** JSON in a text in a text. What is quoted deeper has too many backslashes to be searched for. */
const MAX_BACKSLASHES = 7;

/** Properties of what describes an object called `headers`, such as the schema of a tool. */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(['type', 'description', 'title', 'format']);

/**
 * Replaces the values of JSON members whose names say that they are credentials, also of JSON in a text
 * of JSON, such as the arguments of a tool's call; and in objects called `headers`, the values of all
 * members but those that are known to be harmless. It goes by quotes alone: what it is given may be
 * broken, cut off, or events with JSON in them. Where something is replaced, quotes in texts that were
 * written as `\u0022` come out as `\"`. Each byte is looked at a bounded number of times.
 */
export function redactMembers(body: Uint8Array): Uint8Array {
  const plain = withPlainQuotes(body);
  const redacted = new MemberRedaction(plain).redact();
  return redacted === plain ? body : redacted;
}

const QUOTE_CODE = Buffer.from('u0022');

/** Quotes in texts as most write them: some serializers write the code of the character. */
function withPlainQuotes(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces: Uint8Array[] = [];
  let position = 0;
  for (let at = text.indexOf(QUOTE_CODE); at >= 0; at = text.indexOf(QUOTE_CODE, at + 1)) {
    // Behind an even number it is no code: the backslashes stand for themselves.
    if (backslashesBefore(text, at) % 2 === 0) continue;
    pieces.push(text.subarray(position, at), PLAIN_QUOTE);
    position = at + QUOTE_CODE.length;
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, text.subarray(position)]);
}

const plainNames = new PlainNames();

class MemberRedaction {
  readonly #text: Buffer;
  readonly #replacements: Replacements;

  constructor(body: Uint8Array) {
    this.#text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#replacements = new Replacements(body);
  }

  redact(): Uint8Array {
    let position = this.#quoteFrom(0);
    while (position < this.#text.length) {
      const end = this.#quoteFrom(position + 1);
      const next = this.#mayEndName(end) ? this.#takeMember(position, end) : undefined;
      position = next === undefined ? end : this.#quoteFrom(next);
    }
    return this.#replacements.apply();
  }

  /** The next quote; the length of everything when there is none. Mostly, it is near. */
  #quoteFrom(start: number): number {
    const text = this.#text;
    const near = Math.min(start + NEAR_BYTES, text.length);
    for (let i = start; i < near; i++) if (text[i] === QUOTE) return i;
    const found = near < text.length ? text.indexOf(QUOTE, near) : -1;
    return found < 0 ? text.length : found;
  }

  /** Behind most texts there is something else than what may be in front of a value. */
  #mayEndName(end: number): boolean {
    const byte = this.#text[end + 1];
    return byte === COLON || byte === BACKSLASH || isSpace(byte);
  }

  /**
   * @param start the quote in front of what may be a name
   * @param end the next quote
   * @returns where to go on; undefined when there is nothing to replace
   */
  #takeMember(start: number, end: number): number | undefined {
    // In front of each quote, where JSON stands in a text.
    const backslashes = this.#backslashesBefore(start);
    if (backslashes === 0 && plainNames.has(this.#text, start + 1, end)) return undefined;
    const name = this.#nameAt(start, end, backslashes);
    if (name === undefined) return undefined;
    const colon = this.#skipSpace(end + 1, backslashes);
    if (this.#text[colon] !== COLON) return undefined;
    const valueStart = this.#skipSpace(colon + 1, backslashes);
    switch (kindOfName(name)) {
      case 'headers':
        return this.#takeHeaders(valueStart, backslashes);
      case 'credential':
        // The tokens of a model's answer, with their probabilities: no credentials.
        if (name === 'token' && this.#isLogprob(start, valueStart, backslashes)) return undefined;
        return this.#takeValue(valueStart, backslashes);
      case 'other':
        if (backslashes === 0) plainNames.add(this.#text, start + 1, end);
        return undefined;
    }
  }

  /** @returns undefined for what is no name, or too long for one that is looked for */
  #nameAt(start: number, end: number, backslashes: number): string | undefined {
    if (backslashes > MAX_BACKSLASHES || ((backslashes + 1) & backslashes) !== 0) return undefined;
    const nameEnd = end - backslashes;
    const length = nameEnd - start - 1;
    if (length < 1 || length > MAX_NAME_BYTES) return undefined;
    if (this.#backslashesBefore(end) !== backslashes) return undefined;
    const name = this.#text.toString('latin1', start + 1, nameEnd);
    return name.includes('\\') ? unescaped(name, backslashes) : name;
  }

  /** @returns behind the value; undefined when it holds no text to replace */
  #takeValue(start: number, backslashes: number): number | undefined {
    if (this.#text[start] === OPENING_BRACKET) return this.#takeList(start + 1, backslashes);
    if (!this.#opensText(start, backslashes)) return undefined;
    const textStart = start + backslashes + 1;
    const { end, next } = this.#endOfText(textStart, backslashes);
    if (end > textStart) this.#replacements.replace(textStart, end);
    return next;
  }

  /** The texts of a list, as some write headers. */
  #takeList(start: number, backslashes: number): number {
    let position = this.#skipSpace(start, backslashes);
    while (this.#opensText(position, backslashes)) {
      position = this.#skipSpace(this.#takeValue(position, backslashes) ?? position, backslashes);
      if (this.#text[position] !== COMMA) break;
      position = this.#skipSpace(position + 1, backslashes);
    }
    return position;
  }

  #takeHeaders(start: number, backslashes: number): number | undefined {
    if (this.#text[start] !== OPENING_BRACE) return undefined;
    let position = this.#skipSpace(start + 1, backslashes);
    while (this.#opensText(position, backslashes)) {
      const quote = position + backslashes;
      const end = this.#quoteFrom(quote + 1);
      const colon = this.#skipSpace(end + 1, backslashes);
      if (this.#text[colon] !== COLON) return end;
      const value = this.#skipSpace(colon + 1, backslashes);
      const name = this.#nameAt(quote, end, backslashes)?.toLowerCase() ?? '';
      const isPlain = isPlainHeader(name) || SCHEMA_WORDS.has(name);
      const next = isPlain
        ? this.#behindText(value, backslashes)
        : this.#takeValue(value, backslashes);
      // What is no text may hold anything: it is looked at like all the rest.
      if (next === undefined) return value;
      position = this.#skipSpace(next, backslashes);
      if (this.#text[position] !== COMMA) return position;
      position = this.#skipSpace(position + 1, backslashes);
    }
    return position;
  }

  #behindText(start: number, backslashes: number): number | undefined {
    if (!this.#opensText(start, backslashes)) return undefined;
    return this.#endOfText(start + backslashes + 1, backslashes).next;
  }

  #opensText(start: number, backslashes: number): boolean {
    for (let i = 0; i < backslashes; i++) if (this.#text[start + i] !== BACKSLASH) return false;
    return this.#text[start + backslashes] === QUOTE;
  }

  /** Where a text ends, and what comes behind its quote; one that is cut off ends with everything. */
  #endOfText(start: number, backslashes: number): { end: number; next: number } {
    let quote = this.#quoteFrom(start);
    while (quote < this.#text.length) {
      const before = this.#backslashesBefore(quote, start);
      const level = backslashes + 1;
      const own = before % level;
      // With fewer, it ends the text in which this one stands.
      if (own !== backslashes || ((before - own) / level) % 2 === 0) {
        return { end: quote - own, next: quote + 1 };
      }
      quote = this.#quoteFrom(quote + 1);
    }
    return { end: this.#text.length, next: this.#text.length };
  }

  /**
   * @param start the quote in front of the name
   * @param value where the value begins
   */
  #isLogprob(start: number, value: number, backslashes: number): boolean {
    const behind = this.#skipSpace(this.#behindText(value, backslashes) ?? value, backslashes);
    if (this.#text[behind] === COMMA) {
      const name = this.#skipSpace(behind + 1, backslashes);
      const nameStart = name + backslashes + 1;
      const isNeighbour = (one: Buffer): boolean =>
        this.#text.subarray(nameStart, nameStart + one.length).equals(one);
      if (this.#opensText(name, backslashes) && LOGPROB_NEIGHBOURS.some(isNeighbour)) return true;
    }
    return this.#text.subarray(Math.max(0, start - MAX_LOGPROB_BYTES), start).includes(LOGPROB);
  }

  #backslashesBefore(position: number, from = 0): number {
    return backslashesBefore(this.#text, position, from);
  }

  #skipSpace(start: number, backslashes: number): number {
    let position = start;
    for (;;) {
      const byte = this.#text[position];
      if (isSpace(byte)) position++;
      else if (byte === BACKSLASH && backslashes > 0) {
        // Space in JSON that stands in a text is written as an escape of that text.
        const escape = position + (backslashes + 1) / 2;
        if (this.#backslashesBefore(escape, position) !== escape - position) return position;
        if (!ESCAPED_SPACES.has(this.#text[escape] ?? 0)) return position;
        position = escape + 1;
      } else return position;
    }
  }
}

/** What stands beside a token in the probabilities of an answer. */
const LOGPROB_NEIGHBOURS = [
  'logprob',
  'logProbability',
  'top_logprobs',
  'bytes',
  'rank',
  'token_id',
  'tokenId',
].map((name) => Buffer.from(name));
const LOGPROB = Buffer.from('logprob"');
/** Of a probability in front of its token: its name and a number. */
const MAX_LOGPROB_BYTES = 40;

/** A name as JSON means it, in as many texts as the backslashes tell; as it stands when it is none. */
function unescaped(name: string, backslashes: number): string {
  let meant = name;
  try {
    for (let level = backslashes; level >= 0; level = level === 0 ? -1 : (level - 1) / 2) {
      meant = String(JSON.parse(`"${meant}"`));
    }
  } catch {
    return name;
  }
  return meant;
}

function backslashesBefore(text: Buffer, position: number, from = 0): number {
  let start = position;
  while (start > from && text[start - 1] === BACKSLASH) start--;
  return position - start;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
