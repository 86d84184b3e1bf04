import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

// A stretch of this size takes less than 10 ms for any content.
const BYTES_PER_STRETCH = 128 * 1024;
// More white space in one place is rejected.
const MAX_SPACE_BYTES = 64 * 1024;

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPENING_BRACE = 0x7b;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACE = 0x7d;
export const CLOSING_BRACKET = 0x5d;

/** Counts the bytes that were walked since the event loop last had its turn. */
export class Stretch {
  #end = BYTES_PER_STRETCH;

  /** Returns true if a stretch ends at or before this position. The next one begins there. */
  isOver(position: number): boolean {
    if (position < this.#end) return false;
    this.#end = position + BYTES_PER_STRETCH;
    return true;
  }
}

/** Runs a walk over a body. Other requests are served after each stretch; a body of ordinary size is one stretch. */
export async function runWalk<T>(walk: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}

/** Receives the brackets and strings of a JSON text in order. */
export interface JsonVisitor {
  /** @param byte the bracket */
  open(this: void, position: number, byte: number): void;
  /** @param end the position after the bracket */
  close(this: void, end: number): void;
  /** Takes a string, also a key, from its quote to the position after the other one. */
  takeString(this: void, start: number, end: number): void;
}

/** Walks over a JSON text, which may be malformed. It yields after each stretch. */
export function* walkJson(body: Buffer, visitor: JsonVisitor): Generator<void, void> {
  const stretch = new Stretch();
  for (let position = 0; position < body.length; position++) {
    if (stretch.isOver(position)) yield;
    const byte = body[position];
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) visitor.open(position, byte);
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) visitor.close(position + 1);
    else if (byte === QUOTE) {
      const end = yield* endOfString(body, position, stretch);
      if (end < 0) return;
      visitor.takeString(position, end);
      position = end - 1;
    }
  }
}

/** Returned instead of a position. */
export const TOO_MUCH_SPACE = -1;

/** Returns the position of the next byte that is not white space, or {@link TOO_MUCH_SPACE}. */
export function skipSpace(body: Buffer, start: number): number {
  for (let position = start; position < start + MAX_SPACE_BYTES; position++) {
    if (!isSpace(body[position])) return position;
  }
  return TOO_MUCH_SPACE;
}

/** Returns true for white space of JSON. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns the position after the closing quote of a string; -1: there is none. */
export function* endOfString(
  body: Buffer,
  start: number,
  stretch: Stretch,
): Generator<void, number> {
  for (let quote = body.indexOf(QUOTE, start + 1); quote >= 0;) {
    let backslashes = 0;
    while (body[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    if (stretch.isOver(quote)) yield;
    quote = body.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** Returns a string of the body without escapes; undefined: it is long or malformed. */
export function readString(
  body: Buffer,
  start: number,
  end: number,
  maxBytes: number,
): string | undefined {
  if (end - start > maxBytes) return undefined;
  try {
    return JSON.parse(body.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}
