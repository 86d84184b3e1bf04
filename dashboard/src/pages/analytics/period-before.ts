import type { Analytics, Figures } from '../../api/analytics.ts';
import type { Interval } from '../../ui/chart/chart-data.ts';
import { INTERVAL_MS } from '../../ui/chart/time-axis.ts';
import { HOUR_MS } from '../../lib/time-units.ts';

/** Whole intervals. */
export interface Stretch {
  interval: Interval;
  sinceMs: number;
  untilMs: number;
}

/** A stretch of time that may begin in the middle of an interval: that begin in shorter ones. */
export interface PeriodBefore {
  whole: Stretch;
  begin: Stretch | undefined;
}

const FINER: Readonly<Partial<Record<Interval, Interval>>> = { hour: 'minute', day: 'hour' };

// As long as the API keeps intervals of a length: 3 and 100 days. An hour less, for clocks differ.
const KEPT_MS: Readonly<Record<Interval, number>> = {
  minute: 71 * HOUR_MS,
  hour: 2_399 * HOUR_MS,
  day: Infinity,
};

/**
 * The time just before, as long as what has passed of a stretch: an hour that has only just begun is not
 * compared with a whole one.
 */
export function periodBefore({ interval, sinceMs, untilMs }: Stretch, nowMs: number): PeriodBefore {
  const stepMs = INTERVAL_MS[interval];
  const passedMs = Math.max(Math.min(untilMs, nowMs) - sinceMs, stepMs);
  const wholeMs = Math.floor(passedMs / stepMs) * stepMs;
  const whole = { interval, sinceMs: sinceMs - wholeMs, untilMs: sinceMs };
  return { whole, begin: beginOf(whole, passedMs - wholeMs, nowMs) };
}

function beginOf(whole: Stretch, lengthMs: number, nowMs: number): Stretch | undefined {
  const interval = FINER[whole.interval];
  if (interval === undefined) return undefined;
  const stepMs = INTERVAL_MS[interval];
  const sinceMs = whole.sinceMs - Math.round(lengthMs / stepMs) * stepMs;
  // Beside many days, a part of one is nothing.
  if (sinceMs === whole.sinceMs || sinceMs < nowMs - KEPT_MS[interval]) return undefined;
  return { interval, sinceMs, untilMs: whole.sinceMs };
}

/** The stretch that an answer tells of. */
export function stretchOf({ interval, since, until }: Analytics): Stretch {
  return { interval, sinceMs: Date.parse(since), untilMs: Date.parse(until) };
}

const SUMMED = [
  'requests',
  'errors',
  'cached',
  'tokens_in',
  'tokens_out',
  'cache_tokens',
  'cost',
  'requests_without_cost',
  'requests_with_estimate',
] as const satisfies readonly (keyof Figures)[];

/** Figures together; times cannot be added, so they are those of the first that has any. */
export function addFigures(parts: readonly Figures[]): Figures {
  const sums = Object.fromEntries(
    SUMMED.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]),
  ) as Record<(typeof SUMMED)[number], number>;
  return {
    ...sums,
    duration: parts.find(({ duration }) => duration !== null)?.duration ?? null,
    ttft: parts.find(({ ttft }) => ttft !== null)?.ttft ?? null,
  };
}
