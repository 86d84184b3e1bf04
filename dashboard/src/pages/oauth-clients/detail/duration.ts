import { counted } from '../../../lib/counted.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time-units.ts';

/** A day, for what is counted in them. */

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
