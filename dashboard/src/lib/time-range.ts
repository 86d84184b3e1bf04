import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';

/** How far back something can be shown, as addresses have it. */
export const RANGE_MS = {
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;

const RANGE_WORDS = {
  all: 'Any time',
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  custom: 'From … to …',
} as const;

/** Any range of any page; `custom`: from one moment to another. */
type AnyRange = keyof typeof RANGE_WORDS;

/** The ranges that a page offers, in words. */
export function rangeWords<Range extends AnyRange>(
  ranges: readonly Range[],
): Readonly<Record<Range, string>> {
  const entries = ranges.map((range) => [range, RANGE_WORDS[range]]);
  return Object.fromEntries(entries) as Record<Range, string>;
}

/** Whether a text names a moment. */
export function isMoment(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
