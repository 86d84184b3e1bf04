import { serverNow } from '../../lib/server-time.ts';
import { RANGE_MS, rangeWords } from '../../lib/time-range.ts';
import { MINUTE_MS } from '../../lib/time-units.ts';
import { type AnalyticsSearch, DEFAULT_RANGE, RANGES, type TimeRange } from './analytics-search.ts';

/** The ranges to choose from, in words. */
export const RANGE_WORDS = rangeWords(RANGES);

/** What the API is asked for at this moment; it ends now where there is no end. */
export interface TimeWindow {
  since: string;
  until?: string;
}

/** The window that a search means at this moment. */
export function windowOf({ range = DEFAULT_RANGE, since, until }: AnalyticsSearch): TimeWindow {
  if (range === 'custom' && since !== undefined) {
    return { since: iso(Date.parse(since)), ...(until && { until: iso(Date.parse(until)) }) };
  }
  const lengthMs = RANGE_MS[range === 'custom' ? DEFAULT_RANGE : range];
  return { since: iso(serverNow() - lengthMs) };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** What tells windows apart, of which those that end now are one each. */
export function rangeKeyOf({ range = DEFAULT_RANGE, since, until }: AnalyticsSearch): string {
  return range === 'custom' ? `${since}/${until}` : range;
}

// What is added within a minute is nothing beside what a longer time has.
const REFRESH_MS: Readonly<Partial<Record<TimeRange, number>>> = {
  '1h': MINUTE_MS,
  '24h': MINUTE_MS,
  '7d': 5 * MINUTE_MS,
};

/** How often figures are read anew while somebody looks at them; false: not by themselves. */
export function refreshEveryMs({ range = DEFAULT_RANGE }: AnalyticsSearch): number | false {
  return REFRESH_MS[range] ?? false;
}
