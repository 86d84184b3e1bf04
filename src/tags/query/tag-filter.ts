import { apiError } from '../../http/errors.ts';
import { tagErrors } from '../tag-errors.ts';
import {
  MAX_FILTERS,
  MAX_VALUES_IN_FILTER,
  checkKey,
  checkValue,
  normalizedKey,
} from '../tag-limits.ts';

/** One condition on the tags of a resource. */
export interface TagFilter {
  key: string;
  /** Any of these values; undefined: whatever value. */
  values: readonly string[] | undefined;
  /** The resource must not match. A resource without the key thus satisfies `k!=v`. */
  negated: boolean;
}

/**
 * Reads the `tag` parameters of a request; all of them must hold.
 * @throws ApiError 1010, then for each filter in turn 1007, 1013, 1011, 1014, 1012
 */
export function parseTagFilters(parameters: readonly string[]): TagFilter[] {
  if (parameters.length > MAX_FILTERS) throw apiError(tagErrors.tooManyFilters);
  return parameters.map(parseTagFilter);
}

/** `k` · `k=v` · `k=v1,v2` · `!k` · `k!=v` · `k!=v1,v2`; values take `\,` and `\\`. */
function parseTagFilter(text: string): TagFilter {
  const parsed = text.includes('=') ? parseKeyAndValues(text) : parseKeyAlone(text);
  const filter = { ...parsed, key: normalizedKey(parsed.key) };
  // What is left of `!k=v`, `!!k`, `=v` or nothing at all.
  if (filter.key === '' || filter.key.startsWith('!')) throw apiError(tagErrors.filterSyntax);
  if ((filter.values?.length ?? 0) > MAX_VALUES_IN_FILTER) throw apiError(tagErrors.tooManyValues);
  checkKey(filter.key);
  filter.values?.forEach(checkValue);
  return filter;
}

function parseKeyAlone(text: string): TagFilter {
  const negated = text.startsWith('!');
  return { key: negated ? text.slice(1) : text, values: undefined, negated };
}

function parseKeyAndValues(text: string): TagFilter {
  const split = text.indexOf('=');
  const left = text.slice(0, split);
  const negated = left.endsWith('!');
  return {
    key: negated ? left.slice(0, -1) : left,
    values: splitValues(text.slice(split + 1)),
    negated,
  };
}

/** Splits at commas. `\,` is a comma and `\\` a backslash within a value; any other `\` is itself. */
export function splitValues(text: string): string[] {
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
