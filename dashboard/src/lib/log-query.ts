import type { operations } from '../api/schema.d.ts';

/** What logs can be sorted by. */
export type OrderKey = NonNullable<
  NonNullable<operations['list-gateway-logs']['parameters']['query']>['order_by']
>;

/** In which order logs come. */
export interface LogOrder {
  by: OrderKey;
  direction: 'asc' | 'desc';
}

/** A filter as the API takes it. */
export interface WrittenFilter {
  key: string;
  operator: string;
  values: readonly string[];
}

/** Which logs, in which order. */
export interface LogQuery {
  filters: readonly WrittenFilter[];
  /** Empty: whatever they hold. */
  search: string;
  order: LogOrder;
}

/** Where a list begins: behind a log, in the order of time; with another page, in any other order. */
export interface ListStart {
  after: string | undefined;
  /** Which run of pages, from 1. */
  part: number;
}

/**
 * The parameters that ask for logs. The API reads filters by the order in which they stand, which lists of
 * parameters by name cannot tell.
 */
export function logParameters({ filters, search, order }: LogQuery): URLSearchParams {
  const parameters = filterParameters(filters);
  if (search !== '') parameters.append('search', search);
  if (order.by !== 'created_at') parameters.append('order_by', order.by);
  if (order.direction !== 'desc') parameters.append('order_by_direction', order.direction);
  return parameters;
}

/** Those of its filters alone. */
export function filterParameters(filters: readonly WrittenFilter[]): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const { key, operator, values } of filters) {
    parameters.append('filters.key', key);
    parameters.append('filters.operator', operator);
    for (const value of values) parameters.append('filters.value', value);
  }
  return parameters;
}
