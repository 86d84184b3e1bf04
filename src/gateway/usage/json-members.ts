import type { JsonObject } from '../json/json-fields.ts';

/** Which members are looked for: each whole, or only those of these names in it. */
export type WantedMembers = ReadonlyMap<string, 'whole' | ReadonlySet<string>>;

// What is looked for is small. The longest name, each letter of which may be an escape of six bytes, and
// the largest value that are held.
const MAX_NAME_BYTES = 192;
const MAX_VALUE_BYTES = 64 * 1024;

/** Members at the top whose value is text that a model has written. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'delta',
  'text',
  'response',
  'completion',
  'generation',
  'outputText',
]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/**
 * Picks members out of JSON that passes by in pieces, however large it is, and wherever it breaks off:
 * those of each object at its top, or in the list that it is. Everything else is skipped unparsed, and
 * what stands outside of objects is ignored.
 */
export class JsonMembers {
  #wanted: WantedMembers;
  readonly #onObject: (found: JsonObject) => void;
  #found: JsonObject | undefined;
  #depth = 0;
  /** Of the members of objects at the top. */
  #topDepth = 1;
  #isInString = false;
  #isEscaped = false;
  /** The next string may be the name of a member. */
  #isNameNext = false;
  /** The name that has just been read, as far as it has come; undefined: none of interest. */
  #name: string | undefined;
  /** The member at the top that is being passed, when members in it are looked for. */
  #holder: { name: string; wanted: ReadonlySet<string> } | undefined;
  /** The next string is part of the text of the answer, or may be. */
  #isTextNext = false;
  #isText = false;
  /** The name that has just passed is one of a value that a model does not write. */
  #isLabel = false;
  #textBytes = 0;
  /** The value that is being read. */
  #value: { name: string; depth: number; pieces: Buffer[]; bytes: number } | undefined;

  /** @param onObject takes what was found in an object at the top, when that is over */
  constructor(wanted: WantedMembers, onObject: (found: JsonObject) => void) {
    this.#wanted = wanted;
    this.#onObject = onObject;
  }

  /** The text is a list: its objects are reported one by one. */
  get isList(): boolean {
    return this.#topDepth === 2;
  }

  /** From the next name on, looks for these members instead. */
  want(wanted: WantedMembers): void {
    this.#wanted = wanted;
  }

  /** What was found so far in the object that is passing; undefined: nothing. */
  get found(): JsonObject | undefined {
    return this.#found;
  }

  /**
   * Bytes of strings below the top, and of {@link TEXT_MEMBERS} at the top, in everything that has passed:
   * the text that a model has written, with little else.
   */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** All objects, lists and strings that began have ended. */
  get isWhole(): boolean {
    return this.#depth === 0 && !this.#isInString;
  }

  /** Takes the next piece: these bytes. */
  feed(bytes: Buffer, start = 0, end = bytes.length): void {
    let position = this.#isInString ? this.#passString(bytes, start, end) : start;
    let valueStart = start;
    for (; position < end; position++) {
      const byte = bytes[position] ?? 0;
      // Most of what is no text is a number.
      if (byte > COMMA && byte < COLON) continue;
      switch (byte) {
        case QUOTE:
          position = this.#beginString(bytes, position + 1, end) - 1;
          break;
        case COLON:
          if (this.#name?.includes('\\') === true) this.#name = unescapeName(this.#name);
          this.#isTextNext =
            (this.#depth > this.#topDepth && !this.#isLabel) ||
            (this.#name !== undefined && TEXT_MEMBERS.has(this.#name));
          if (this.#name !== undefined && this.#beginValue(this.#name)) valueStart = position + 1;
          this.#isNameNext = false;
          this.#name = undefined;
          break;
        case COMMA:
          if (this.#value?.depth === this.#depth) this.#endValue(bytes, valueStart, position);
          this.#isNameNext = true;
          break;
        case OPENING_BRACKET:
          if (this.#depth === 0) this.#topDepth = 2;
          this.#depth++;
          break;
        case OPENING_BRACE:
          if (this.#depth === 0) this.#topDepth = 1;
          this.#depth++;
          this.#isNameNext = true;
          break;
        case CLOSING_BRACE:
        case CLOSING_BRACKET:
          if (this.#value?.depth === this.#depth) this.#endValue(bytes, valueStart, position);
          if (this.#depth > 0) this.#depth--;
          if (this.#value?.depth === this.#depth) this.#endValue(bytes, valueStart, position + 1);
          if (this.#depth < this.#topDepth) this.#endObject();
          break;
      }
    }
    if (this.#value !== undefined) this.#keep(bytes, valueStart, end);
  }

  /** The text is over, complete or not; the next piece begins another one. */
  end(): void {
    this.#endObject();
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#isNameNext = false;
    this.#isTextNext = false;
    this.#isText = false;
    this.#name = undefined;
    this.#value = undefined;
  }

  /** @returns where it goes on after the string */
  #beginString(bytes: Buffer, start: number, end: number): number {
    this.#isInString = true;
    const isName =
      this.#isNameNext &&
      (this.#depth === this.#topDepth ||
        (this.#holder !== undefined && this.#depth === this.#topDepth + 1));
    this.#name = isName ? '' : undefined;
    this.#isText = this.#isTextNext && !this.#isNameNext;
    return this.#passString(bytes, start, end);
  }

  #passString(bytes: Buffer, start: number, end: number): number {
    const from = this.#isEscaped ? start + 1 : start;
    let position = quoteFrom(bytes, from, end);
    // Behind an odd number of backslashes it does not end the string.
    while (position < end && backslashesBefore(bytes, position, from) % 2 === 1) {
      position = quoteFrom(bytes, position + 1, end);
    }
    if (position < end) this.#isInString = false;
    if (this.#isText) this.#textBytes += position - start;
    else if (this.#isNameNext) this.#isLabel = isLabelName(bytes, start, position);
    this.#isEscaped =
      this.#isInString && (from > end || backslashesBefore(bytes, end, from) % 2 === 1);
    if (this.#name !== undefined) this.#readName(bytes, start, position);
    return position + 1;
  }

  #readName(bytes: Buffer, start: number, end: number): void {
    const name = this.#name ?? '';
    const isShort = name.length + end - start <= MAX_NAME_BYTES;
    this.#name = isShort ? name + bytes.toString('latin1', start, end) : undefined;
  }

  /** @returns whether the value of that member is to be read */
  #beginValue(name: string): boolean {
    if (this.#depth === this.#topDepth) {
      const wanted = this.#wanted.get(name);
      this.#holder = wanted instanceof Set ? { name, wanted } : undefined;
      if (wanted !== 'whole') return false;
    } else if (this.#holder?.wanted.has(name) !== true) {
      return false;
    }
    this.#value = { name, depth: this.#depth, pieces: [], bytes: 0 };
    return true;
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const value = this.#value;
    if (value === undefined) return;
    value.bytes += end - start;
    // Copied, so that the memory it is cut from is not held.
    if (value.bytes <= MAX_VALUE_BYTES) value.pieces.push(Buffer.from(bytes.subarray(start, end)));
    else this.#value = undefined;
  }

  #endValue(bytes: Buffer, start: number, end: number): void {
    const value = this.#value;
    if (value === undefined) return;
    this.#value = undefined;
    const { name, depth, pieces } = value;
    if (value.bytes + end - start > MAX_VALUE_BYTES) return;
    const found =
      pieces.length === 0
        ? parse(bytes, start, end)
        : parse(Buffer.concat([...pieces, bytes.subarray(start, end)]));
    // Most events of a stream have `usage: null`.
    if (found === undefined || found === null) return;
    this.#found ??= {};
    if (depth === this.#topDepth) this.#found[name] = found;
    else if (this.#holder !== undefined) {
      const former = this.#found[this.#holder.name];
      this.#found[this.#holder.name] = { ...(former as object | undefined), [name]: found };
    }
  }

  #endObject(): void {
    this.#holder = undefined;
    const found = this.#found;
    this.#found = undefined;
    if (found !== undefined) this.#onObject(found);
  }
}

/** Whether a name is `id`, `role`, `type`, `model`, `finish_reason` or `signature`: many events repeat these. */
function isLabelName(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start];
  switch (end - start) {
    case 2:
      return first === 0x69;
    case 4:
      return first === 0x72 || (first === 0x74 && bytes[start + 1] === 0x79);
    case 5:
      return first === 0x6d;
    case 9:
      return first === 0x73;
    case 13:
      return first === 0x66;
    default:
      return false;
  }
}

const PLAIN_STRING = /^"[\w.-]{0,64}"$/;

// In which the next quote is looked for without a call that costs more than the look.
const NEAR_BYTES = 24;

/** The next quote; the end when there is none. */
function quoteFrom(bytes: Buffer, start: number, end: number): number {
  const near = Math.min(start + NEAR_BYTES, end);
  for (let position = start; position < near; position++) {
    if (bytes[position] === QUOTE) return position;
  }
  if (near >= end) return end;
  const found = bytes.subarray(near, end).indexOf(QUOTE);
  return found < 0 ? end : near + found;
}

function backslashesBefore(bytes: Buffer, end: number, start: number): number {
  let position = end;
  while (position > start && bytes[position - 1] === BACKSLASH) position--;
  return end - position;
}

/**
 * Decodes the escapes of a member name, as of `"\\u0065rror"`, RFC 8259 section 7.
 * @param name the text between the quotes
 * @returns undefined for an invalid escape
 */
function unescapeName(name: string): string | undefined {
  const text = parse(Buffer.from(`"${name}"`, 'latin1'));
  return typeof text === 'string' ? text : undefined;
}

/** @returns undefined for invalid JSON */
function parse(bytes: Buffer, start = 0, end = bytes.length): unknown {
  const text = bytes.toString('utf8', start, end).trim();
  // Nearly all events have one of these, and JSON.parse takes longer.
  if (text === 'null') return null;
  if (PLAIN_STRING.test(text)) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
