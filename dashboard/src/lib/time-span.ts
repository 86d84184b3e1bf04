import { counted } from './counted.ts';

/** The units in which people say how long something lasts, in seconds; the longest first. */
export const SPAN_UNITS = [
  { seconds: 86_400, one: 'day' },
  { seconds: 3_600, one: 'hour' },
  { seconds: 60, one: 'minute' },
  { seconds: 1, one: 'second' },
] as const;

/** A stretch of time as a form has it: what was typed, and the seconds of its unit. */
export interface SpanDraft {
  amount: string;
  unit: string;
}

const SECOND = { seconds: 1, one: 'second' } as const;

function unitOf(seconds: number): { seconds: number; one: string } {
  return SPAN_UNITS.find((unit) => seconds % unit.seconds === 0) ?? SECOND;
}

/** Seconds in the longest unit of which they are a whole number. */
export function spanDraft(seconds: number): SpanDraft {
  const unit = unitOf(seconds);
  return { amount: String(seconds / unit.seconds), unit: String(unit.seconds) };
}

/** The seconds that somebody means; not a number while nothing sensible is typed. */
export function spanSeconds({ amount, unit }: SpanDraft): number {
  return wholeNumber(amount) * Number(unit);
}

/** A whole number as people type it, with or without commas; otherwise not a number. */
export function wholeNumber(text: string): number {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

/** "5 minutes", "1 day". */
export function spanWords(seconds: number): string {
  const unit = unitOf(seconds);
  return counted(seconds / unit.seconds, unit.one);
}

/** Behind "each": "minute", "5 minutes". */
export function eachSpan(seconds: number): string {
  const unit = unitOf(seconds);
  return seconds === unit.seconds ? unit.one : spanWords(seconds);
}
