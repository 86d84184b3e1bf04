import { counted } from '../../../lib/counted.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A day, for what is counted in them. */
export const DAY_MS = 24 * HOUR_MS;

/** A stretch of time in its two largest units: "1 day 23 hours". */
export function duration(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute';
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const parts: [number, string][] =
    days > 0
      ? [
          [days, 'day'],
          [hours, 'hour'],
        ]
      : [
          [hours, 'hour'],
          [minutes, 'minute'],
        ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => counted(number, noun))
    .join(' ');
}
