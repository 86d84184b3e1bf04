import type { ListStart, LogOrder, LogQuery } from '../../lib/log-query.ts';
import { isMoment } from '../../lib/time-range.ts';
import {
  type LogFilter,
  formatFilters,
  parseFilters,
  toApiFilters,
} from '../../lib/log-filters.ts';
import { NEWEST_FIRST, formatOrder, parseOrder } from './log-order.ts';
import { RANGE_WORDS, type TimeRange, type TimeSearch, timeFilters } from './time-range.ts';

/** All that the address of a gateway's log tells: going back shows the same again. */
export interface LogSearch extends TimeSearch {
  /** The filters, as {@link formatFilters} writes them. */
  f?: string;
  /** What is looked for in model, provider, path and metadata. */
  q?: string;
  /** See {@link parseOrder}. */
  sort?: string;
  /** Whether new logs come by themselves. */
  live?: 'yes';
  /** Id of the log behind which the list begins, in the order of time. */
  after?: string;
  /** Where the list begins in any other order: which run of pages, from 1. */
  part?: number;
  /** Id of the log whose details are open. */
  log?: string;
}

const MAX_SEARCH_LENGTH = 200;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Takes from an address what there is; what makes no sense is left out. */
export function parseLogSearch(search: Record<string, unknown>): LogSearch {
  const f = formatFilters(parseFilters(textOf(search.f)));
  const q = textOf(search.q).slice(0, MAX_SEARCH_LENGTH);
  const order = parseOrder(textOf(search.sort));
  const after = textOf(search.after);
  const part = Number(textOf(search.part));
  const log = textOf(search.log);
  return {
    ...(f !== '' && { f }),
    ...(q !== '' && { q }),
    ...parseTime(search),
    ...(order !== undefined && !isNewestFirst(order) && { sort: formatOrder(order) }),
    ...(search.live === 'yes' && { live: 'yes' }),
    ...(UUID.test(after) && { after }),
    ...(Number.isSafeInteger(part) && part > 1 && { part }),
    ...(log !== '' && { log }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function parseTime(search: Record<string, unknown>): TimeSearch {
  const range = textOf(search.range);
  if (!Object.hasOwn(RANGE_WORDS, range) || range === 'all') return {};
  if (range !== 'custom') return { range: range as TimeRange };
  const [since, until] = [textOf(search.since), textOf(search.until)];
  return {
    range,
    ...(isMoment(since) && { since }),
    ...(isMoment(until) && { until }),
  };
}

/** The filters of a search. */
export function filtersOf({ f = '' }: LogSearch): LogFilter[] {
  return parseFilters(f);
}

/** The order of a search. */
export function orderOf({ sort = '' }: LogSearch): LogOrder {
  return parseOrder(sort) ?? NEWEST_FIRST;
}

function isNewestFirst({ by, direction }: LogOrder): boolean {
  return by === 'created_at' && direction === 'desc';
}

/** Whether something narrows the list, beside the time. */
export function isNarrowed({ f, q }: LogSearch): boolean {
  return f !== undefined || q !== undefined;
}

/** What the API is asked for at a moment. */
export function queryAt(search: LogSearch, nowMs: number): LogQuery {
  return {
    filters: [...toApiFilters(filtersOf(search)), ...timeFilters(search, nowMs)],
    search: search.q ?? '',
    order: orderOf(search),
  };
}

/** Where the list begins. */
export function startOf({ after, part }: LogSearch): ListStart {
  return { after, part: part ?? 1 };
}

/** What tells one list from another: all but what is open, and whether it grows. */
export function listKeyOf({ log: _log, live: _live, ...list }: LogSearch): string {
  return JSON.stringify(list);
}

type Change = Partial<Pick<LogSearch, 'f' | 'q' | 'sort' | 'live' | keyof TimeSearch>>;

/** Another search: what is changed shows its beginning, with nothing open. */
export function changed(
  search: LogSearch,
  change: { [Name in keyof Change]: Change[Name] | undefined },
): LogSearch {
  const { after: _after, part: _part, log: _log, ...others } = search;
  const next: LogSearch = parseLogSearch({ ...others, ...change });
  // Only what begins with the newest can grow there.
  return next.sort !== undefined || next.until !== undefined ? withoutLive(next) : next;
}

function withoutLive({ live: _live, ...others }: LogSearch): LogSearch {
  return others;
}

/** The search with other filters. */
export function withFilters(search: LogSearch, filters: readonly LogFilter[]): LogSearch {
  return changed(search, { f: formatFilters(filters) });
}
