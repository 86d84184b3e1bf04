import type { WrittenFilter } from './log-query.ts';
import { type Operator, fieldNamed, operatorsOf } from './log-fields.ts';

/** One condition on logs; any of its values will do, or with `neq` none. */
export interface LogFilter {
  /** Name of a field, see {@link fieldNamed}. */
  field: string;
  /** Of the field `metadata` only: whose value it is. */
  metadataKey?: string;
  operator: Operator;
  /** An empty one stands for what is not known. */
  values: readonly string[];
}

/** As many as the API takes, but for those that say the time and where a page begins. */
const MOST_FILTERS = 17;
/** Of all filters together; the API counts the values of the others, too. */
const MOST_VALUES = 97;

const ALL_OPERATORS: ReadonlySet<string> = new Set(['eq', 'neq', 'contains', 'lt', 'gt']);

// What an address shows as it is, where a space is a plus sign.
const BETWEEN_FILTERS = ' ';
const BETWEEN_VALUES = '*';

/**
 * Filters as the address has them: `provider.eq.openai*anthropic duration.gt.2000 metadata.team.eq.search`.
 * A `~` and two hex digits stand for what separates the parts.
 */
export function formatFilters(filters: readonly LogFilter[]): string {
  return filters.map(formatFilter).join(BETWEEN_FILTERS);
}

function formatFilter({ field, metadataKey, operator, values }: LogFilter): string {
  const key = field === 'metadata' ? [escape(metadataKey ?? '', /[~ *.]/g)] : [];
  const written = values.map((value) => escape(value, /[~ *]/g)).join(BETWEEN_VALUES);
  return [field, ...key, operator, written].join('.');
}

function escape(text: string, separators: RegExp): string {
  return text.replace(separators, (character) => `~${character.charCodeAt(0).toString(16)}`);
}

function unescape(text: string): string {
  return text.replaceAll(/~([\da-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads what {@link formatFilters} writes; what makes no sense is left out. */
export function parseFilters(text: string): LogFilter[] {
  // The same twice says nothing more.
  return [...new Set(text.split(BETWEEN_FILTERS))]
    .flatMap((part) => parseFilter(part) ?? [])
    .slice(0, MOST_FILTERS);
}

function parseFilter(text: string): LogFilter | undefined {
  const [name = '', ...rest] = text.split('.');
  const field = fieldNamed(name);
  if (field === undefined) return undefined;
  const metadataKey = name === 'metadata' ? unescape(rest.shift() ?? '') : undefined;
  if (metadataKey === '') return undefined;
  const [operator = '', ...values] = rest;
  if (!isOperator(operator) || !operatorsOf(field.type).includes(operator)) return undefined;
  // Without a point behind the operator there is no value, not even an empty one.
  if (values.length === 0) return undefined;
  return {
    field: name,
    ...(metadataKey !== undefined && { metadataKey }),
    operator,
    values: values.join('.').split(BETWEEN_VALUES).map(unescape),
  };
}

function isOperator(text: string): text is Operator {
  return ALL_OPERATORS.has(text);
}

/** Whether the API would not take so much. */
export function isTooMuch(filters: readonly LogFilter[]): boolean {
  const written = toApiFilters(filters);
  const values = written.reduce((sum, filter) => sum + filter.values.length, 0);
  return written.length > MOST_FILTERS || values > MOST_VALUES;
}

/** Filters as the API takes them, in its order. */
export function toApiFilters(filters: readonly LogFilter[]): WrittenFilter[] {
  // A value right behind a key would be the value of that key.
  const values = filters.filter(({ field }) => field === 'metadata_value');
  const others = filters.filter(({ field }) => field !== 'metadata_value');
  return [...values, ...others].flatMap(toApiFilter);
}

function toApiFilter({ field, metadataKey, operator, values }: LogFilter): WrittenFilter[] {
  if (field === 'metadata') {
    return [
      { key: 'metadata.key', operator: 'eq', values: [metadataKey ?? ''] },
      { key: 'metadata.value', operator, values },
    ];
  }
  const key = field.replace(/^metadata_/, 'metadata.');
  return [{ key, operator, values }];
}
