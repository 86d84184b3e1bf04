import { isUtf8 } from 'node:buffer';

/** Why a text was refused; the caller chooses the error of its domain. */
export class JsonSyntaxError extends Error {}

/**
 * How many values a body may hold. Reading and checking values takes its time, and nothing else
 * happens meanwhile: a megabyte of empty objects would stop every other request for a good while.
 */
export const MAX_JSON_VALUES = 20_000;

/**
 * Parses JSON from outside. Objects keep `__proto__` as an ordinary own key, which JSON.parse
 * guarantees; code that copies such objects key by key must not use plain assignment.
 * @param maxDepth nesting allowed, 1 for a flat object
 * @throws JsonSyntaxError when the bytes are not JSON in UTF-8, are nested too deep, hold too many
 *   values or what no database can store: a NUL character, or half of a surrogate pair, which would
 *   come back as another text
 */
export function parseJson(bytes: Buffer, maxDepth: number): { value: unknown; values: number } {
  // Decoding alone would put U+FFFD in the place of what it does not understand.
  if (!isUtf8(bytes)) throw new JsonSyntaxError('not UTF-8');
  const text = withoutMark(bytes).toString();
  const { depth, values } = measureJson(text);
  if (depth > maxDepth) throw new JsonSyntaxError(`nested deeper than ${maxDepth} levels`);
  if (values > MAX_JSON_VALUES) {
    throw new JsonSyntaxError(`more than ${MAX_JSON_VALUES} values`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonSyntaxError('not JSON', { cause: error });
  }
  // Both can only be written as an escape, so most bodies need no walk.
  if (SUSPICIOUS_ESCAPE.test(text) && holdsUnstorable(value)) {
    throw new JsonSyntaxError('a string contains a NUL character or an unpaired surrogate');
  }
  return { value, values };
}

const BYTE_ORDER_MARK = Buffer.from('\u{feff}');

/** RFC 8259 section 8.1: a parser may ignore a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const COMMA = 0x2c;

/**
 * Measures a text without parsing it, by the brackets and commas outside of its strings: its deepest
 * nesting, about how many values it holds, and how many of them are objects and arrays.
 */
export function measureJson(text: string): { depth: number; values: number; containers: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let containers = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) {
        if (text.charCodeAt(i) === BACKSLASH) i++;
      }
    } else if (code === COMMA) {
      values++;
    } else if (code === 0x7b || code === 0x5b) {
      values++;
      containers++;
      if (++level > depth) depth = level;
    } else if (code === 0x7d || code === 0x5d) {
      level--;
    }
  }
  return { depth, values, containers };
}

function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(holdsUnstorable);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => holdsUnstorable(key) || holdsUnstorable(item));
}
