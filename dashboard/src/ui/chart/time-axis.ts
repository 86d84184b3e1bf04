import type { Interval } from './chart-data.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time-units.ts';

/** How long an interval is. */
export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** The begins of all intervals from one time to another, that not included. */
export function startsBetween(sinceMs: number, untilMs: number, interval: Interval): number[] {
  const step = INTERVAL_MS[interval];
  const count = Math.max(0, Math.ceil((untilMs - sinceMs) / step));
  return Array.from({ length: count }, (_start, index) => sinceMs + index * step);
}

// As many as find room on a telephone.
const MOST_TICKS = 7;

const MINUTES = [5, 10, 15, 30, 60, 120];
const HOURS = [1, 2, 3, 4, 6, 12, 24, 48, 96];
const DAYS = [1, 2, 5, 7, 14];

/** Which begins are written on the axis: few of them, at times at which people look at clocks. */
export function ticksOf(starts: readonly number[], interval: Interval): number[] {
  if (interval === 'day') return everyNth(starts, DAYS);
  const steps = interval === 'minute' ? MINUTES : HOURS;
  const stepMs = interval === 'minute' ? MINUTE_MS : HOUR_MS;
  for (const step of steps) {
    const ticks = starts.filter(
      (start) => localMs(start) % (step * stepMs) < INTERVAL_MS[interval],
    );
    if (ticks.length <= MOST_TICKS) return ticks;
  }
  return everyNth(starts, [Math.ceil(starts.length / MOST_TICKS)]);
}

function everyNth(starts: readonly number[], steps: readonly number[]): number[] {
  const fitting = steps.find((step) => starts.length / step <= MOST_TICKS);
  const step = fitting ?? Math.ceil(starts.length / MOST_TICKS);
  // Counted from the end: the last day is the one that people know.
  return starts.filter((_start, index) => (starts.length - 1 - index) % step === 0);
}

/** As if the clocks here were those of UTC, so that a day is a multiple. */
function localMs(timeMs: number): number {
  return timeMs - new Date(timeMs).getTimezoneOffset() * MINUTE_MS;
}

const utcDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const wholeDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const moment = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

/** A begin as the axis says it: a time, or a day where one begins. */
export function tickLabel(startMs: number, interval: Interval): string {
  if (interval === 'day') return utcDay.format(startMs);
  const isMidnight = localMs(startMs) % DAY_MS < INTERVAL_MS[interval];
  return isMidnight ? day.format(startMs) : clock.format(startMs);
}

/** A whole interval in words: "Sun, Nov 22, 06:00 PM – 07:00 PM". */
export function intervalLabel(startMs: number, interval: Interval): string {
  if (interval === 'day') return `${wholeDay.format(startMs)} (UTC)`;
  const end = startMs + INTERVAL_MS[interval];
  return `${moment.format(startMs)} – ${clock.format(end)}`;
}

const exactDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A stretch of whole intervals in words. */
export function rangeLabel(sinceMs: number, untilMs: number, interval: Interval): string {
  if (interval !== 'day') return exactTime.formatRange(sinceMs, untilMs);
  // The end is not in it.
  return `${exactDay.formatRange(sinceMs, untilMs - 1)} (UTC)`;
}
