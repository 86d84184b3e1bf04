import { type Static, Type } from 'typebox';
import { parseRfc3339 } from '../../lib/rfc3339.ts';
import { toNanoUsd } from './filter-values.ts';
import type { LogFilter, LogOrder, RowField } from '../log-query.ts';
import { FILTER_KEYS, OPERATORS } from './log-filter-keys.ts';
import { MAX_FILTERS, MAX_FILTER_VALUES, invalidParameter } from './parse-log-filters.ts';

export const FILTERS_DESCRIPTION =
  'Each filter is a `filters.key`, followed by its `filters.operator` and one or more ' +
  '`filters.value`. Three lists of the same length, all keys first, are the same filters with one value each. Logs match all filters. `eq`, `contains`, `lt` and `gt` match any of the values, ' +
  '`neq` none of them. An empty value means unknown: an unknown value matches `neq` of another value, ' +
  'but not `lt` and `gt`. A `metadata.value` directly after a `metadata.key` is the value of that ' +
  `key. The maximum is ${MAX_FILTERS} filters with ${MAX_FILTER_VALUES} values in total.`;

// The handler reads them from the query, because their order matters.
const filterParameters = {
  'filters.key': Type.Optional(
    Type.Array(Type.String(), { description: `One of ${[...FILTER_KEYS.keys()].join(', ')}` }),
  ),
  'filters.operator': Type.Optional(
    Type.Array(Type.String(), { description: `One of ${OPERATORS.join(', ')}` }),
  ),
  'filters.value': Type.Optional(
    Type.Array(Type.String(), {
      description: 'Times in RFC 3339 or milliseconds since 1970, costs in US dollars',
    }),
  ),
};

/** The parameters of lists and deletions. */
export const SelectionParameters = {
  ...filterParameters,
  order_by: Type.Optional(
    Type.Enum(
      [
        'created_at',
        'provider',
        'model',
        'model_type',
        'success',
        'cached',
        'cost',
        'tokens_in',
        'tokens_out',
        'duration',
        'feedback',
      ],
      { default: 'created_at', description: 'Unknown values come last' },
    ),
  ),
  order_by_direction: Type.Optional(
    // Without a default, which would hide that of older clients.
    Type.Enum(['asc', 'desc'], { description: 'Sort direction; default: desc (newest first)' }),
  ),
};

const SelectionQuery = Type.Object(SelectionParameters);

/** Returns the order of a list. */
export function readOrder({
  order_by: orderBy = 'created_at',
}: Static<typeof SelectionQuery>): LogOrder {
  if (orderBy === 'cost') return 'cost_nano_usd';
  return orderBy === 'duration' ? 'duration_ms' : orderBy;
}

const Text = Type.Optional(Type.String({ maxLength: 256, deprecated: true }));
const Flag = Type.Optional(Type.Boolean({ deprecated: true }));
const Bound = Type.Optional(Type.Number({ minimum: 0, maximum: 1e12, deprecated: true }));
const Day = Type.Optional(
  Type.String({
    maxLength: 64,
    deprecated: true,
    description: 'RFC 3339 date-time, or a date, in UTC; the end is included',
  }),
);

/** Filters of older clients, with inclusive bounds. */
export const DeprecatedParameters = {
  cached: Flag,
  success: Flag,
  direction: Type.Optional(Type.Enum(['asc', 'desc'], { deprecated: true })),
  start_date: Day,
  end_date: Day,
  feedback: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, deprecated: true })),
  min_cost: Bound,
  max_cost: Bound,
  min_duration: Bound,
  max_duration: Bound,
  min_tokens_in: Bound,
  max_tokens_in: Bound,
  min_tokens_out: Bound,
  max_tokens_out: Bound,
  min_total_tokens: Bound,
  max_total_tokens: Bound,
  model: Text,
  model_type: Text,
  provider: Text,
  request_content_type: Text,
  response_content_type: Text,
};

const DeprecatedQuery = Type.Object(DeprecatedParameters);
type Deprecated = Static<typeof DeprecatedQuery>;

const TEXTS = [
  'model',
  'model_type',
  'provider',
  'request_content_type',
  'response_content_type',
] as const;

const BOUNDS = [
  ['cost', 'cost_nano_usd'],
  ['duration', 'duration_ms'],
  ['tokens_in', 'tokens_in'],
  ['tokens_out', 'tokens_out'],
  ['total_tokens', 'tokens'],
] as const satisfies readonly (readonly [string, RowField])[];

/**
 * Returns the filters of older clients.
 * @throws ApiError 6010
 */
export function readDeprecatedFilters(query: Deprecated): LogFilter[] {
  const filters: LogFilter[] = [];
  for (const field of TEXTS) {
    const value = query[field];
    if (value === undefined) continue;
    if (value.includes('\0')) throw invalidParameter(field, 'must not contain a NUL character');
    filters.push({ on: 'context', field, operator: 'eq', values: [value] });
  }
  for (const field of ['cached', 'success'] as const) {
    const value = query[field];
    if (value === undefined) continue;
    filters.push({ on: 'context', field, operator: 'eq', values: [Number(value)] });
  }
  if (query.feedback !== undefined) {
    filters.push({ on: 'row', field: 'feedback', operator: 'eq', values: [query.feedback] });
  }
  return [...filters, ...readBounds(query), ...readDays(query)];
}

function readBounds(query: Deprecated): LogFilter[] {
  return BOUNDS.flatMap(([name, field]): LogFilter[] => {
    const toColumn = (value: number): number => (name === 'cost' ? toNanoUsd(value) : value);
    const least = query[`min_${name}`];
    const greatest = query[`max_${name}`];
    return [
      ...(least === undefined
        ? []
        : [
            { on: 'row', field, operator: 'gt', values: [Math.ceil(toColumn(least)) - 1] } as const,
          ]),
      ...(greatest === undefined
        ? []
        : [
            {
              on: 'row',
              field,
              operator: 'lt',
              values: [Math.floor(toColumn(greatest)) + 1],
            } as const,
          ]),
    ].map((filter) => ({ ...filter, values: [...filter.values] }));
  });
}

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

function readDays({ start_date: start, end_date: end }: Deprecated): LogFilter[] {
  const filters: LogFilter[] = [];
  if (start !== undefined) {
    const startMs = readMoment('start_date', start);
    filters.push({ on: 'created_at', operator: 'gt', values: [startMs - 1] });
  }
  if (end !== undefined) {
    const endMs = readMoment('end_date', end) + (DATE.test(end) ? DAY_MS : 1);
    filters.push({ on: 'created_at', operator: 'lt', values: [endMs] });
  }
  return filters;
}

function readMoment(name: string, text: string): number {
  const timeMs = parseRfc3339(DATE.test(text) ? `${text}T00:00:00Z` : text);
  if (timeMs === undefined) throw invalidParameter(name, 'must be an RFC 3339 date-time or a date');
  return timeMs;
}
