import { MINUTE_MS } from './time-units.ts';

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** "1,234,567". */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** "1.2M": for where there is little room. */
export function formatShort(count: number): string {
  return count < 10_000 ? whole.format(count) : short.format(count);
}

/** A part of one: "12.3%"; nothing of nothing is none. */
export function formatShare(part: number, total: number): string {
  return percent.format(total === 0 ? 0 : part / total);
}

const CENT = 0.01;

/** US dollars: cents, and of less than a cent three digits that say something. */
export function formatCost(dollars: number): string {
  const isTiny = dollars !== 0 && Math.abs(dollars) < CENT;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    ...(isTiny
      ? { minimumSignificantDigits: 1, maximumSignificantDigits: 3 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  }).format(dollars);
}

const shortCost = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
});

const fineCost = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
});

/** "$1.2K", "$0.015": for axes, where each step has to differ from the next. */
export function formatShortCost(dollars: number): string {
  const isShort = Math.abs(dollars) >= 1_000 || Number.isInteger(dollars);
  return isShort ? shortCost.format(dollars) : fineCost.format(Number(dollars.toPrecision(3)));
}

const SECOND_MS = 1_000;

/** "43 ms", "1.24 s", "2 min 5 s". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < SECOND_MS) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE_MS) return `${Number((milliseconds / SECOND_MS).toPrecision(3))} s`;
  const seconds = Math.round(milliseconds / SECOND_MS);
  const [minutes, left] = [Math.floor(seconds / 60), seconds % 60];
  return left === 0 ? `${whole.format(minutes)} min` : `${whole.format(minutes)} min ${left} s`;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** "312 bytes", "1.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${UNITS[power - 1] ?? ''}`;
}
