import { leastUuidV7 } from '../../lib/ids.ts';
import type { LogFilter, LogSelection } from '../log-query.ts';

/** A range of ids with an exclusive end. The order of ids is that of time. */
export interface IdRange {
  from: string;
  until: string;
}

/** The most rows that one statement reads. They occupy the thread for about 20 ms. */
export const SLICE_ROWS = 20_000;

export const LEAST_ID = '00000000-0000-0000-0000-000000000000';
// Greater than every UUIDv7.
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// An id begins with a time of 48 bits.
const MAX_TIME_MS = 2 ** 48 - 1;

/** Returns the least id of a time. */
export function leastIdOf(timeMs: number): string {
  if (timeMs <= 0) return LEAST_ID;
  return timeMs > MAX_TIME_MS ? GREATEST_ID : leastUuidV7(timeMs);
}

/** Returns the next id. */
export function idAfter(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function isEmptyRange({ from, until }: IdRange): boolean {
  return from >= until;
}

/** Returns the intersection of two ranges. */
export function overlap(one: IdRange, other: IdRange): IdRange {
  return {
    from: one.from > other.from ? one.from : other.from,
    until: one.until < other.until ? one.until : other.until,
  };
}

/** Returns the part of a range after a row, in the order of a list. */
export function rangeBehind(range: IdRange, id: string, direction: 'asc' | 'desc'): IdRange {
  return direction === 'desc' ? { ...range, until: id } : { ...range, from: idAfter(id) };
}

/** Returns the part of a range up to a row, in the order of a list. */
export function rangeUpTo(range: IdRange, id: string, direction: 'asc' | 'desc'): IdRange {
  return direction === 'desc' ? { ...range, from: id } : { ...range, until: idAfter(id) };
}

/** Returns the ids of one millisecond. */
export function rangeOfMoment(timeMs: number): IdRange {
  return { from: leastIdOf(timeMs), until: leastIdOf(timeMs + 1) };
}

/**
 * Returns the range of all selected rows. Only conditions that are no bounds remain to be checked in it: an id or a time that
 * is one of several, or none of them, or contains a text.
 */
export function rangeOf({ sinceMs, filters }: LogSelection): IdRange {
  const all: IdRange = { from: leastIdOf(sinceMs), until: GREATEST_ID };
  return filters.reduce((range, filter) => overlap(range, rangeOfFilter(filter)), all);
}

function rangeOfFilter(filter: LogFilter): IdRange {
  const all: IdRange = { from: LEAST_ID, until: GREATEST_ID };
  if (filter.on !== 'id' && filter.on !== 'created_at') return all;
  if (filter.operator === 'neq' || filter.operator === 'contains') return all;
  const ranges = filter.values.map((value) =>
    typeof value === 'string' ? { from: value, until: idAfter(value) } : rangeOfMoment(value),
  );
  const starts = ranges.map(({ from }) => from).toSorted();
  const ends = ranges.map(({ until }) => until).toSorted();
  // One matching value is enough, so the loosest value is the bound.
  switch (filter.operator) {
    case 'eq':
      return { from: starts[0] ?? GREATEST_ID, until: ends.at(-1) ?? LEAST_ID };
    case 'lt':
      return { ...all, until: starts.at(-1) ?? LEAST_ID };
    case 'gt':
      return { ...all, from: ends[0] ?? GREATEST_ID };
  }
}
