import { parseRfc3339 } from '../../lib/rfc3339.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import type { FilterKey } from './log-filter-keys.ts';
import type { FilterValue, Operator } from '../log-query.ts';

/** The reason for an invalid value, which continues a sentence after the value. */
export class BadFilterValue extends Error {}

const MAX_TEXT_LENGTH = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NUMBER = /^[+-]?\d{1,16}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?$/i;
const MILLISECONDS = /^\d{1,16}$/;
// More than the rounding error of dollars in billionths.
const ROUNDING = 1e-3;

/**
 * Returns the values of the column for a value in a request, where an empty text means null.
 * @returns no values if no log can match
 * @throws BadFilterValue
 */
export function readFilterValue(key: FilterKey, operator: Operator, text: string): FilterValue[] {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new BadFilterValue(`must have at most ${MAX_TEXT_LENGTH} characters`);
  }
  if (text.includes('\0')) throw new BadFilterValue('must not contain a NUL character');
  // Texts in metadata may be empty.
  if (text === '' && key.type === 'value') return operator === 'contains' ? [''] : ['', null];
  if (text === '') return readNull(key, operator);
  return readByType(key, operator, text);
}

function readByType(key: FilterKey, operator: Operator, text: string): FilterValue[] {
  switch (key.type) {
    case 'boolean':
      return [readBoolean(text)];
    case 'integer':
      return toWhole(readNumber(text), operator);
    case 'usd':
      return toWhole(toNanoUsd(readNumber(text)), operator);
    case 'number':
      return [readNumber(text)];
    case 'feedback':
      return [readFeedback(text)];
    case 'id':
      return [readId(text, operator)];
    case 'time':
      return [readTime(text)];
    case 'text':
    case 'key':
    case 'value':
      return [text];
  }
}

function readNull({ type }: FilterKey, operator: Operator): null[] {
  if (type === 'id' || type === 'time') throw new BadFilterValue('must not be empty');
  if (operator === 'eq' || operator === 'neq') return [null];
  throw new BadFilterValue(`must not be empty with the operator ${operator}`);
}

function readBoolean(text: string): number {
  if (text === 'true' || text === '1') return 1;
  if (text === 'false' || text === '0') return 0;
  throw new BadFilterValue('must be true or false');
}

function readNumber(text: string): number {
  if (!NUMBER.test(text)) throw new BadFilterValue('must be a number');
  return Number(text);
}

/** Converts US dollars to the unit of the column. */
export function toNanoUsd(usd: number): number {
  const exact = usd * NANO_USD_PER_USD;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < ROUNDING ? whole : exact;
}

/** Returns the whole numbers for an equivalent comparison. */
function toWhole(value: number, operator: Operator): number[] {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new BadFilterValue('is too large');
  if (operator === 'lt') return [Math.ceil(value)];
  if (operator === 'gt') return [Math.floor(value)];
  return Number.isInteger(value) ? [value] : [];
}

function readFeedback(text: string): number {
  if (text === '-1' || text === '0' || text === '1') return Number(text);
  throw new BadFilterValue('must be -1, 0 or 1');
}

function readId(text: string, operator: Operator): string {
  const id = text.toLowerCase();
  if (operator !== 'contains' && !UUID.test(id)) throw new BadFilterValue('must be a UUID');
  return id;
}

function readTime(text: string): number {
  const timeMs = MILLISECONDS.test(text) ? Number(text) : parseRfc3339(text);
  if (timeMs !== undefined && timeMs <= Number.MAX_SAFE_INTEGER) return timeMs;
  throw new BadFilterValue('must be an RFC 3339 date-time, or milliseconds since 1970');
}
