import { MAX_JSON_VALUES, measureJson } from '../../http/parse-json.ts';

declare global {
  interface JSON {
    /** ECMAScript's JSON.parse source text access, which the types of the compiler lack. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

// Only texts with a number that could be too large need the slow parser.
const LARGE_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;
const INTEGER = /^-?\d+$/;

// The slow parser takes about ten times as long per value, and is recursive.
const MAX_VALUES = 100_000;
const MAX_DEPTH = 1_000;

/**
 * Parses JSON that will be serialized again. Integers that no double represents, such as the ids of some databases, keep
 * their digits, unless the text has very many values. Such an integer becomes an opaque object.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!LARGE_NUMBER.test(text)) return JSON.parse(text);
  const { depth, values } = measureJson(text);
  return depth > MAX_DEPTH || values > MAX_VALUES ? JSON.parse(text) : JSON.parse(text, keepExact);
}

/** A request has so many values that parsing it would block the event loop. */
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
  // Most bodies contain no tool call.
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
