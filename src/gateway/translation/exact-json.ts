import { measureJson } from '../../http/parse-json.ts';

declare global {
  interface JSON {
    /** ECMAScript's JSON.parse source text access, which the compiler's library does not know yet. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}

// Few texts have a number that could be too large, and only these are parsed in the slow way.
const LARGE_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;
const INTEGER = /^-?\d+$/;

// The slow way takes some ten times as long for each value, and goes a step down for each level.
const MAX_VALUES = 100_000;
const MAX_DEPTH = 1_000;

/**
 * Parses JSON that will be written as JSON again: integers that no double holds, such as the ids of
 * some databases, stay as they are written, but in a text of very many values. They are objects then,
 * of which nothing can be read.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!LARGE_NUMBER.test(text)) return JSON.parse(text);
  const { depth, values } = measureJson(text);
  return depth > MAX_DEPTH || values > MAX_VALUES ? JSON.parse(text) : JSON.parse(text, keepExact);
}

function keepExact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isKept = !Number.isFinite(value) || (INTEGER.test(source) && String(value) !== source);
  return isKept ? JSON.rawJSON(source) : value;
}
