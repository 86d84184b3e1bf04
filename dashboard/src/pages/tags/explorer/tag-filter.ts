import { labels } from '../labels.ts';

/** One condition on the tags of a resource, as a `tag` parameter of the API says it. */
export interface TagFilter {
  key: string;
  /** Any of these values; undefined: whatever value. */
  values: readonly string[] | undefined;
  /** The resource must not match. A resource without the key thus fulfils `key!=value`. */
  isNegated: boolean;
}

// Lengths count characters, that is code points.
const MAX_KEY_CHARACTERS = 256;
const MAX_VALUE_CHARACTERS = 1_024;

/** How many `tag` parameters a request may have. */
export const MAX_FILTERS = 20;

/** How many values one of them may have. */
export const MAX_VALUES = 10;

const KEY = /^[\p{L}\p{M}\p{Nd}_.-]+$/u;

/** What the API says of a request with too many filters. */
export const TOO_MANY_FILTERS = `too many tag filters (maximum ${MAX_FILTERS})`;

const FILTER_SYNTAX =
  'tag parameter must be in format key, key=value, key=v1,v2, !key or key!=value';
const TOO_MANY_VALUES = `too many OR values in tag filter (maximum ${MAX_VALUES})`;
const KEY_TOO_LONG = `tag key too long (maximum ${MAX_KEY_CHARACTERS} characters)`;
const VALUE_TOO_LONG = `tag value too long (maximum ${MAX_VALUE_CHARACTERS} characters)`;
const INVALID_KEY = labels.invalidTagKey;

/** Reads a `tag` parameter; of one with a fault what can be read of it. */
export function readTagFilter(text: string): TagFilter {
  const split = text.indexOf('=');
  if (split === -1) {
    const isNegated = text.startsWith('!');
    return { key: isNegated ? text.slice(1) : text, values: undefined, isNegated };
  }
  const left = text.slice(0, split);
  const isNegated = left.endsWith('!');
  const values = splitValues(text.slice(split + 1));
  return { key: isNegated ? left.slice(0, -1) : left, values, isNegated };
}

/** What the API would say of a filter; undefined when it has no fault. */
export function faultOfFilter(filter: TagFilter): string | undefined {
  const { key, values = [] } = filter;
  if (key === '' || key.startsWith('!')) return FILTER_SYNTAX;
  if (values.length > MAX_VALUES) return TOO_MANY_VALUES;
  return faultOfKey(key) ?? (values.some(isValueTooLong) ? VALUE_TOO_LONG : undefined);
}

/** What the API would say of a key. */
export function faultOfKey(key: string): string | undefined {
  if (isLongerThan(key, MAX_KEY_CHARACTERS)) return KEY_TOO_LONG;
  return KEY.test(key) ? undefined : INVALID_KEY;
}

/** What the API would say of the values of a filter. */
export function faultOfValues(values: readonly string[]): string | undefined {
  if (values.length > MAX_VALUES) return TOO_MANY_VALUES;
  return values.some(isValueTooLong) ? VALUE_TOO_LONG : undefined;
}

function isValueTooLong(value: string): boolean {
  return isLongerThan(value, MAX_VALUE_CHARACTERS);
}

function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters && Array.from(text).length > characters;
}

/** The parameter that says a filter: {@link readTagFilter} reads the same again. */
export function writeTagFilter({ key, values, isNegated }: TagFilter): string {
  if (values === undefined) return isNegated ? `!${key}` : key;
  const list = values.map((value) => value.replaceAll(/[\\,]/g, String.raw`\$&`)).join(',');
  return `${key}${isNegated ? '!' : ''}=${list}`;
}

/** Splits at commas. `\,` is a comma and `\\` a backslash within a value; any other `\` is itself. */
function splitValues(text: string): string[] {
  const values = [];
  let value = '';
  for (let i = 0; i < text.length; i++) {
    const next = text[i + 1];
    if (text[i] === '\\' && (next === ',' || next === '\\')) {
      value += next;
      i++;
    } else if (text[i] === ',') {
      values.push(value);
      value = '';
    } else {
      value += text[i];
    }
  }
  values.push(value);
  return values;
}
