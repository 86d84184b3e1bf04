import type { JsonObject } from '../json/json-fields.ts';

/** The members to find: a whole one, or only some members of it. */
export type WantedMembers = ReadonlyMap<string, 'whole' | ReadonlySet<string>>;

// The longest name, each letter of which may be an escape of six bytes, and the largest value. Relevant ones are small.
const MAX_NAME_BYTES = 192;
const MAX_VALUE_BYTES = 64 * 1024;

/** Top-level members whose value is a text of the model. */
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
 * Finds members in JSON that arrives in pieces of any size, also if it breaks off: the members of each top-level object, or of
 * each object of a top-level list. Skips everything else without parsing, and ignores bytes outside of objects.
 */
export class JsonMembers {
  #wanted: WantedMembers;
  readonly #onObject: (found: JsonObject) => void;
  #found: JsonObject | undefined;
  #depth = 0;
  /** The depth of members of top-level objects. */
  #topDepth = 1;
  #isInString = false;
  #isEscaped = false;
  /** The next string may be the name of a member. */
  #isNameNext = false;
  /** The name that was read last, so far; undefined: not relevant. */
  #name: string | undefined;
  /** The current top-level member, if members of it are to be found. */
  #holder: { name: string; wanted: ReadonlySet<string> } | undefined;
  /** The next string may be a part of the text of the response. */
  #isTextNext = false;
  #isText = false;
  /** The last name belongs to a value that is no text of the model. */
  #isLabel = false;
  #textBytes = 0;
  /** The current value. */
  #value: { name: string; depth: number; pieces: Buffer[]; bytes: number } | undefined;

  /** @param onObject receives the members of each top-level object at its end */
  constructor(wanted: WantedMembers, onObject: (found: JsonObject) => void) {
    this.#wanted = wanted;
    this.#onObject = onObject;
  }

  /** The JSON is a list, whose objects are reported one by one. */
  get isList(): boolean {
    return this.#topDepth === 2;
  }

  /** Finds other members from the next name on. */
  want(wanted: WantedMembers): void {
    this.#wanted = wanted;
  }

  /** The members of the current object so far; undefined: none. */
  get found(): JsonObject | undefined {
    return this.#found;
  }

  /**
   * Bytes of nested strings and of top-level {@link TEXT_MEMBERS} so far: the text of the model, and little else.
   */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** All objects, lists and strings that began have ended. */
  get isWhole(): boolean {
    return this.#depth === 0 && !this.#isInString;
  }

  /** Reads a part of the next piece. */
  feed(bytes: Buffer, start = 0, end = bytes.length): void {
    const from = this.#isInString ? this.#passString(bytes, start, end) : start;
    const valueStart = this.#read(bytes, start, from, end);
    if (this.#value !== undefined) this.#keep(bytes, valueStart, end);
  }

  /**
   * @param start start of the piece
   * @param from the same, or the end of the string in which the piece starts
   * @returns the start of the current value in this piece
   */
  #read(bytes: Buffer, start: number, from: number, end: number): number {
    let valueStart = start;
    for (let position = from; position < end; position++) {
      const byte = bytes[position] ?? 0;
      // Most other values are numbers.
      if (byte > COMMA && byte < COLON) continue;
      switch (byte) {
        case QUOTE:
          position = this.#beginString(bytes, position + 1, end) - 1;
          break;
        case COLON:
          if (this.#endName()) valueStart = position + 1;
          break;
        case COMMA:
          this.#endMember(bytes, valueStart, position);
          this.#isNameNext = true;
          break;
        case OPENING_BRACKET:
        case OPENING_BRACE:
          this.#open(byte);
          break;
        case CLOSING_BRACE:
        case CLOSING_BRACKET:
          this.#close(bytes, valueStart, position);
          break;
      }
    }
    return valueStart;
  }

  /** Ends the JSON, complete or not. The next piece begins another one. */
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

  /** @returns true if the value of the member is to be read */
  #endName(): boolean {
    const name = this.#name?.includes('\\') === true ? unescapeName(this.#name) : this.#name;
    this.#isTextNext =
      (this.#depth > this.#topDepth && !this.#isLabel) ||
      (name !== undefined && TEXT_MEMBERS.has(name));
    this.#isNameNext = false;
    this.#name = undefined;
    return name !== undefined && this.#beginValue(name);
  }

  #open(bracket: number): void {
    const isObject = bracket === OPENING_BRACE;
    if (this.#depth === 0) this.#topDepth = isObject ? 1 : 2;
    this.#depth++;
    if (isObject) this.#isNameNext = true;
  }

  /** @param position position of the closing bracket */
  #close(bytes: Buffer, valueStart: number, position: number): void {
    this.#endMember(bytes, valueStart, position);
    if (this.#depth > 0) this.#depth--;
    this.#endMember(bytes, valueStart, position + 1);
    if (this.#depth < this.#topDepth) this.#endObject();
  }

  /** @returns the position after the string */
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
    // After an odd number of backslashes, a quote does not end the string.
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

  /** @returns true if the value of the member is to be read */
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
    // A copy, so that the chunk can be released.
    if (value.bytes <= MAX_VALUE_BYTES) value.pieces.push(Buffer.from(bytes.subarray(start, end)));
    else this.#value = undefined;
  }

  /** Ends the current value if it is at this depth. */
  #endMember(bytes: Buffer, start: number, end: number): void {
    if (this.#value?.depth === this.#depth) this.#endValue(bytes, start, end);
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

/** Returns true for `id`, `role`, `type`, `model`, `finish_reason` and `signature`, which many events repeat. */
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

// Within this distance, a loop finds the next quote faster than `indexOf`.
const NEAR_BYTES = 24;

/** Returns the position of the next quote, or else the end. */
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
