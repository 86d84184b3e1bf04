import type { WrittenFilter } from '../../lib/log-query.ts';
import { RANGE_MS, rangeWords } from '../../lib/time-range.ts';

const RANGES = ['all', '15m', '1h', '24h', '7d', '30d', 'custom'] as const;

/** How far back logs are shown; `custom`: from `since` to `until`. */
export type TimeRange = (typeof RANGES)[number];

/** Which an address without one means. */
export const DEFAULT_RANGE: TimeRange = 'all';

/** The ranges to choose from, in words. */
export const RANGE_WORDS = rangeWords(RANGES);

/** The time that an address names. */
export interface TimeSearch {
  range?: TimeRange;
  /** RFC 3339, with the range `custom`. */
  since?: string;
  until?: string;
}

/** Beginning and end of what a search asks for at a moment; undefined: there is none. */
export function windowOf(
  { range = DEFAULT_RANGE, since, until }: TimeSearch,
  nowMs: number,
): { sinceMs: number | undefined; untilMs: number | undefined } {
  if (range === 'custom') {
    return { sinceMs: momentOf(since), untilMs: momentOf(until) };
  }
  return { sinceMs: range === 'all' ? undefined : nowMs - RANGE_MS[range], untilMs: undefined };
}

function momentOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/** The same as the API takes it; its beginning is part of the time, its end is not. */
export function timeFilters(search: TimeSearch, nowMs: number): WrittenFilter[] {
  const { sinceMs, untilMs } = windowOf(search, nowMs);
  return [
    ...(sinceMs === undefined ? [] : [timeFilter('gt', sinceMs - 1)]),
    ...(untilMs === undefined ? [] : [timeFilter('lt', untilMs)]),
  ];
}

function timeFilter(operator: 'gt' | 'lt', timeMs: number): WrittenFilter {
  return { key: 'created_at', operator, values: [new Date(timeMs).toISOString()] };
}
