import { type ApiError, apiError, httpErrors } from '../../http/errors.ts';
import { BadFilterValue, readFilterValue } from './filter-values.ts';
import {
  FILTER_KEYS,
  type FilterKey,
  LACKING_KEYS,
  OPERATORS,
  operatorsOf,
} from './log-filter-keys.ts';
import type { FilterValue, LogFilter, Operator } from '../log-query.ts';

export const MAX_FILTERS = 20;
/** Limit of all filters together, because each is compared with every row that is read. */
export const MAX_FILTER_VALUES = 100;

/** Returns the error of an invalid parameter. */
export function invalidParameter(name: string, what: string): ApiError {
  return apiError(httpErrors.invalidParameter, {
    message: `${httpErrors.invalidParameter.message}: ${name} ${what}`,
    pointer: name,
  });
}

const KEY = 'filters.key';
const OPERATOR = 'filters.operator';
const VALUE = 'filters.value';

interface WrittenFilter {
  key: string;
  operator: string | undefined;
  values: string[];
}

/**
 * Returns the filters of a query in one of two forms: filter by filter (`filters.key`, its `filters.operator` and its
 * `filters.value`, which can repeat), or as three lists of the same length, as generated clients send arrays.
 * @param query as it was sent
 * @throws ApiError 6010
 */
export function parseLogFilters(query: string): LogFilter[] {
  const parameters = [...new URLSearchParams(query)].filter(([name]) =>
    name.startsWith('filters.'),
  );
  const written = areLists(parameters) ? readLists(parameters) : readSequence(parameters);
  if (written.length > MAX_FILTERS) {
    throw invalidParameter('filters', `must not be more than ${MAX_FILTERS}`);
  }
  const valueCount = written.reduce((sum, { values }) => sum + values.length, 0);
  if (valueCount > MAX_FILTER_VALUES) {
    throw invalidParameter('filters', `must not have more than ${MAX_FILTER_VALUES} values`);
  }
  return written.map(readFilter);
}

type Parameters = readonly (readonly [name: string, value: string])[];

/** Returns true for three lists. In the other form, no key directly follows another one. */
function areLists(parameters: Parameters): boolean {
  const names = parameters.map(([name]) => name);
  const keys = names.filter((name) => name === KEY).length;
  const first = names.indexOf(KEY);
  return keys > 1 && names.slice(first, first + keys).every((name) => name === KEY);
}

function readLists(parameters: Parameters): WrittenFilter[] {
  const lists = Map.groupBy(parameters, ([name]) => name);
  const listOf = (name: string): string[] => lists.get(name)?.map(([, value]) => value) ?? [];
  const keys = listOf(KEY);
  const operators = listOf(OPERATOR);
  const values = listOf(VALUE);
  for (const [name, { length }] of [
    [OPERATOR, operators],
    [VALUE, values],
  ] as const) {
    if (length === keys.length) continue;
    throw invalidParameter(name, `must occur once for each of the ${keys.length} filters.key`);
  }
  return keys.map((key, index) => ({
    key,
    operator: operators[index],
    values: values.slice(index, index + 1),
  }));
}

function readSequence(parameters: Parameters): WrittenFilter[] {
  const filters: WrittenFilter[] = [];
  for (const [name, value] of parameters) {
    if (name === KEY) {
      filters.push({ key: value, operator: undefined, values: [] });
      continue;
    }
    const filter = filters.at(-1);
    if (filter === undefined) throw invalidParameter(name, 'must follow its filters.key');
    if (name === VALUE) {
      filter.values.push(value);
    } else if (filter.operator === undefined) {
      filter.operator = value;
    } else {
      throw invalidParameter(name, `is a duplicate for ${filter.key}`);
    }
  }
  return filters;
}

function readFilter({ key: name, operator, values }: WrittenFilter): LogFilter {
  const key = FILTER_KEYS.get(name);
  if (key === undefined) {
    const reason = LACKING_KEYS.has(name)
      ? `${name} is not supported by this server`
      : `${name} is not a filter key`;
    throw invalidParameter('filters.key', reason);
  }
  if (operator === undefined || !isOperator(operator)) {
    throw invalidParameter('filters.operator', `of ${name} must be one of ${OPERATORS.join(', ')}`);
  }
  const allowed = operatorsOf(key);
  if (!allowed.includes(operator)) {
    throw invalidParameter('filters.operator', `of ${name} must be one of ${allowed.join(', ')}`);
  }
  if (values.length === 0) throw invalidParameter('filters.value', `of ${name} is missing`);
  return toFilter(key, operator, values.flatMap(readValue));

  function readValue(text: string): FilterValue[] {
    try {
      return readFilterValue(key as FilterKey, operator as Operator, text);
    } catch (error) {
      if (!(error instanceof BadFilterValue)) throw error;
      throw invalidParameter('filters.value', `of ${name} ${error.message}`);
    }
  }
}

function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

/** Converts the values by the type of the key. */
function toFilter(key: FilterKey, operator: Operator, values: FilterValue[]): LogFilter {
  const on = 'field' in key ? { on: key.on, field: key.field } : { on: key.on };
  return { ...on, operator, values } as LogFilter;
}
