import { REDACTED, redactFormsIn } from '../../lib/credential-forms.ts';
import {
  isCredentialName,
  isPlainHeader,
  mayBeCredentialName,
} from '../../lib/credential-names.ts';

/** Shorter texts are no credentials, but may occur anywhere in a body. */
const MIN_SECRET_LENGTH = 8;
/** Minimum length of a credential with a known form. */
const MIN_FORM_LENGTH = 20;
const ASCII = /^[\0-\x7f]*$/;
/** Ids and numbers: no form of a credential contains these characters alone. */
const HARMLESS = /^[\da-f.:-]*$/;

/**
 * Redacts a body for the log: the credentials of its request, the values of JSON members whose names say that they are
 * credentials, and everything that has the form of a known credential. All other bytes stay: JSON, events, broken or
 * truncated. Takes linear time. The result has at most twice as many bytes.
 * @param secrets credentials that the client and the gateway sent
 * @returns the body itself if it contains no credential
 */
export function redactBody(body: Uint8Array, secrets: readonly string[] = []): Uint8Array {
  const { buffer, byteOffset, byteLength } = body;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const redacted = redactFormsIn(redactMembers(redactSecrets(text, secrets)));
  return redacted === text ? body : Buffer.from(redacted, 'latin1');
}

/** Redacts a short text, such as a model, a path or the value of a header. */
export function redactText(text: string): string {
  if (text.length < MIN_FORM_LENGTH && !text.includes('"')) return text;
  return HARMLESS.test(text) ? text : redactFormsIn(redactMembers(text));
}

function redactMembers(text: string): string {
  return text.includes('"') ? new MemberRedaction(text).redact() : text;
}

/** @param text bytes as Latin-1 */
function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    const bytes = ASCII.test(secret) ? secret : Buffer.from(secret).toString('latin1');
    redacted = redacted.replaceAll(bytes, REDACTED);
    // JSON may escape a slash.
    if (bytes.includes('/')) redacted = redacted.replaceAll(bytes.replaceAll('/', '\\/'), REDACTED);
  }
  return redacted;
}

/** JSON in a text has backslashes before its quotes: 1, 3 or 7 for one, two or three levels. */
const QUOTE = String.raw`(\\{0,7})"`;
/** White space, which may be escaped in JSON in a text. */
const SPACE = String.raw`(?:\s|\\{1,4}[nrt]){0,64}`;
/** The quote after a name, and the beginning of the text, the list of texts, or the object of the member. */
const VALUE = new RegExp(String.raw`"${SPACE}:${SPACE}(?:([[{])${SPACE})?${QUOTE}`, 'y');
const NEXT_TEXT = new RegExp(`${SPACE},${SPACE}${QUOTE}`, 'y');
const MAX_NAME_LENGTH = 128;
const MAX_LEVEL = 7;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const ESCAPED_CHARACTER = /\\{1,8}u([\dA-Fa-f]{4})/g;

const HEADERS = /headers$/i;
/** Members of an object that describes headers, such as the schema of a tool. */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(['type', 'description', 'title', 'format']);

/** A member next to a token of a model with its probability, which is no credential. */
const LOGPROB_AFTER = new RegExp(
  String.raw`${SPACE},${SPACE}\\{0,7}"(?:logprob|logProbability|top_logprobs|bytes|rank|token_id|tokenId)`,
  'y',
);
/** A probability before its token: a name and a number. */
const LOGPROB_BEFORE = /logprob\\{0,7}"/;
const MAX_LOGPROB_LENGTH = 40;

/**
 * Replaces the values of JSON members whose names say that they are credentials, also in JSON in a text, such as the arguments
 * of a tool call. In an object called `headers`, only the values of harmless headers stay. Goes by quotes alone, because the
 * text may be broken or truncated.
 */
class MemberRedaction {
  readonly #text: string;
  #redacted = '';
  /** End of the text that {@link #redacted} covers. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  redact(): string {
    const text = this.#text;
    let opening = text.indexOf('"');
    while (opening >= 0) {
      const closing = text.indexOf('"', opening + 1);
      if (closing < 0) break;
      const next = mayEndName(text, closing) ? this.#takeMember(opening, closing) : undefined;
      opening = next === undefined ? closing : text.indexOf('"', next);
    }
    return this.#end === 0 ? text : this.#redacted + text.slice(this.#end);
  }

  /**
   * @param opening position of the quote before a name
   * @param closing position of the next quote
   * @returns the position where the search continues; undefined: no member that this class changes
   */
  #takeMember(opening: number, closing: number): number | undefined {
    const level = this.#backslashesBefore(closing);
    if (!mayBeCredentialName(this.#text, closing - level)) return undefined;
    const name = this.#nameAt(opening, closing, level);
    if (name === undefined) return undefined;
    const isHeaders = HEADERS.test(name);
    if (!isHeaders && !isCredentialName(name)) return undefined;
    const value = this.#match(VALUE, closing);
    if (value?.[2]?.length !== level) return undefined;
    const start = VALUE.lastIndex;
    const isObject = value[1] === '{';
    if (isHeaders !== isObject) return undefined;
    if (isObject) return this.#takeHeaders(start, level);
    if (name === 'token' && this.#isLogprob(opening, start, level)) return undefined;
    let next = this.#replace(start, level);
    while (value[1] === '[' && this.#hasNextText(next, level)) {
      next = this.#replace(NEXT_TEXT.lastIndex, level);
    }
    return next;
  }

  /** @returns undefined for texts that are no names of members */
  #nameAt(opening: number, closing: number, level: number): string | undefined {
    const length = closing - level - opening - 1;
    if (length < 1 || length > MAX_NAME_LENGTH || level > MAX_LEVEL) return undefined;
    if (this.#backslashesBefore(opening) !== level) return undefined;
    return unescaped(this.#text.slice(opening + 1, closing - level));
  }

  #backslashesBefore(position: number): number {
    let start = position;
    while (this.#text.charCodeAt(start - 1) === BACKSLASH) start--;
    return position - start;
  }

  /**
   * Replaces the values of an object of headers.
   * @param start position of the first name, after its quote
   */
  #takeHeaders(start: number, level: number): number {
    let opening = start - 1;
    for (;;) {
      const closing = this.#text.indexOf('"', opening + 1);
      const name = closing < 0 ? undefined : this.#nameAt(opening, closing, level);
      const value = name === undefined ? null : this.#match(VALUE, closing);
      // Anything but a text may contain other members.
      if (name === undefined || value === null || value[1] !== undefined) return opening;
      if (value[2]?.length !== level) return opening;
      const isHarmless = isPlainHeader(name.toLowerCase()) || SCHEMA_WORDS.has(name);
      const text = VALUE.lastIndex;
      const next = isHarmless ? this.#endOf(text, level).next : this.#replace(text, level);
      if (!this.#hasNextText(next, level)) return next;
      opening = NEXT_TEXT.lastIndex - 1;
    }
  }

  #hasNextText(position: number, level: number): boolean {
    return this.#match(NEXT_TEXT, position)?.[1]?.length === level;
  }

  /** @param pattern a sticky regular expression */
  #match(pattern: RegExp, position: number): RegExpExecArray | null {
    pattern.lastIndex = position;
    return pattern.exec(this.#text);
  }

  /** Replaces a text. Returns the position after its quote. */
  #replace(start: number, level: number): number {
    const { end, next } = this.#endOf(start, level);
    if (end > start) {
      this.#redacted += this.#text.slice(this.#end, start) + REDACTED;
      this.#end = end;
    }
    return next;
  }

  /** Returns the end of a text, and the position after its quote. A truncated text ends with the body. */
  #endOf(start: number, level: number): { end: number; next: number } {
    const text = this.#text;
    for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      let first = quote;
      while (first > start && text[first - 1] === '\\') first--;
      const own = (quote - first) % (level + 1);
      // Fewer backslashes end the text that contains this one.
      if (own !== level || ((quote - first - own) / (level + 1)) % 2 === 0) {
        return { end: quote - own, next: quote + 1 };
      }
    }
    return { end: text.length, next: text.length };
  }

  #isLogprob(member: number, start: number, level: number): boolean {
    const before = this.#text.slice(Math.max(0, member - MAX_LOGPROB_LENGTH), member);
    const { next } = this.#endOf(start, level);
    return LOGPROB_BEFORE.test(before) || this.#match(LOGPROB_AFTER, next) !== null;
  }
}

/** Returns true for a quote before a colon or white space. */
function mayEndName(text: string, closing: number): boolean {
  const code = text.charCodeAt(closing + 1);
  return code === COLON || code === BACKSLASH || code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Returns a name without escapes, also in JSON in a text. */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  return name.replaceAll(ESCAPED_CHARACTER, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
