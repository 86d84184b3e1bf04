import { useNow } from './use-now.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

// Further away, the date says more.
const MAX_DAYS = 30;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** "3 hours ago", "in 2 days", and the date of what is further away. */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = (Date.parse(time) - nowMs) / 1_000;
  if (Math.abs(seconds) >= MAX_DAYS * 86_400) return date.format(new Date(time));
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return seconds > 0 ? 'in less than a minute' : 'just now';
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** A moment in the person's own time zone. */
export function formatTime(time: string): string {
  return absolute.format(new Date(time));
}

interface TimeProps {
  value: string;
  /** It has happened already, even if it is ahead of the clock here. */
  isPast?: boolean;
}

/** How long ago, or how far ahead; the exact time on hovering. Goes on by itself. */
export function Time({ value, isPast = false }: TimeProps) {
  const lastMs = useNow();
  const nowMs = isPast ? Math.max(lastMs, Date.parse(value)) : lastMs;
  return (
    <time dateTime={value} title={formatTime(value)}>
      {relativeTime(value, nowMs)}
    </time>
  );
}
