import { MAX_JSON_VALUES, measureJson } from '../../http/parse-json.ts';

declare global {
  interface JSON {
    /** ECMAScript's JSON.parse source text access, which the compiler's library does not know yet. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
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

/** A request has so many values that reading it would delay every other request. */
export class TooManyValuesError extends Error {
  constructor() {
    super(`the body has more than ${MAX_JSON_VALUES} values`);
  }
}

/**
 * Parses the body of a request like {@link parseExactJson}, within the number of values that every entry
 * point allows. Arguments of tool calls are JSON within JSON: their values count too.
 * @throws TooManyValuesError before it parses the text, or the arguments, that exceed the number
 * @throws SyntaxError
 */
export function parseRequestJson(text: string): unknown {
  let values = countValues(text);
  const body = parseExactJson(text);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'arguments' && typeof member === 'string') values += countValues(member);
      else visit(member);
      if (values > MAX_JSON_VALUES) throw new TooManyValuesError();
    }
  };
  // Most bodies contain no call of a tool.
  if (text.includes('arguments')) visit(body);
  return body;
}

function countValues(text: string): number {
  const { values } = measureJson(text);
  if (values > MAX_JSON_VALUES) throw new TooManyValuesError();
  return values;
}

function keepExact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isKept = !Number.isFinite(value) || (INTEGER.test(source) && String(value) !== source);
  return isKept ? JSON.rawJSON(source) : value;
}
