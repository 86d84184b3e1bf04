import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import type { Driver } from './driver.ts';
import type { Part } from './hour-extremes.ts';
import {
  type IdRange,
  SLICE_ROWS,
  isEmptyRange,
  leastIdOf,
  rangeBehind,
  rangeUpTo,
} from './id-range.ts';
import { type Stretch, branchCount, countRows, firstIds, nearestId } from './walk.ts';

const FIRST_SLICE_ROWS = 500;
/** After so many in vain it is worth knowing where to look. */
const PLAIN_ROWS = 5_000;
const DAY_MS = 86_400_000;

export interface WalkTools extends ScopedLogs {
  direction: 'asc' | 'desc';
  /** @throws Error when there is no more time */
  checkTime(): void;
}

/** A part of a way, cut so that one statement can look at all of its rows. */
export interface Slice {
  range: IdRange;
  /** What comes after it; empty at the end. */
  rest: IdRange;
  /** Rows on the way in it, when that is known. */
  rows: number | undefined;
}

/**
 * Cuts a range into slices in the order of a list. Between two of them other reads of the thread get
 * their turn.
 * @param firstRows rows on the way in the first slice; each has twice as many as the one before;
 *   undefined: whoever takes the slices takes care not to look at all of their rows
 */
export async function* slices(
  tools: WalkTools,
  driver: Driver,
  range: IdRange,
  firstRows: number | undefined,
): AsyncGenerator<Slice> {
  const { db, dialect, direction } = tools;
  const { walk } = driver;
  let rows = Math.min(Math.max(firstRows ?? 0, FIRST_SLICE_ROWS), SLICE_ROWS);
  for (let left = range; !isEmptyRange(left);) {
    const window = windowOf(dialect, left, direction, range);
    const stretch = { walk, range: window, direction, conditions: [] };
    const share = Math.ceil(rows / branchCount(walk));
    const end =
      firstRows === undefined ? undefined : await nearestId(db, dialect, stretch, share - 1);
    const part = end === undefined ? window : rangeUpTo(window, end, direction);
    const rest =
      direction === 'desc' ? { ...left, until: part.from } : { ...left, from: part.until };
    const isKnown = end !== undefined && branchCount(walk) === 1;
    yield { range: part, rest, rows: isKnown ? share : undefined };
    left = rest;
    rows = Math.min(2 * rows, SLICE_ROWS);
    await nextTurn();
  }
}

/**
 * On PostgreSQL each statement is planned for all partitions, of which there is one a day, that its
 * range touches: so a list begins with one day, and goes on with twice as many each time.
 */
function windowOf(
  { name }: LogDialect,
  left: IdRange,
  direction: 'asc' | 'desc',
  whole: IdRange,
): IdRange {
  if (name === 'sqlite') return left;
  const nowMs = Date.now();
  if (direction === 'desc') {
    const startMs = Math.min(nowMs, timeOf(left.until));
    const goneMs = Math.max(0, Math.min(nowMs, timeOf(whole.until)) - startMs);
    const from = leastIdOf(startMs - DAY_MS - goneMs);
    return from > left.from ? { ...left, from } : left;
  }
  const startMs = timeOf(left.from);
  const goneMs = startMs - timeOf(whole.from);
  const until = leastIdOf(startMs + DAY_MS + goneMs);
  return until < left.until ? { ...left, until } : left;
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** What was found on a part of the way. */
export interface Found {
  ids: string[];
  /** Rows that were left out, of those that were to be. */
  skipped: number;
  /** What is still to be walked; empty at the end. */
  rest: IdRange;
  /** Rows on the way that were looked at in whole slices. */
  walked: number;
  /** Rows that were found in these. */
  matched: number;
}

/** What is to be found on a way. */
export interface WantedRows {
  /** Matching rows that are left out before. */
  skip: number;
  limit: number;
  /** About so many rows are looked at in vain. */
  maxRows: number;
  /** One statement can look at all rows. */
  isShort?: boolean;
}

/** Walks a range until so many rows have been found. */
export async function findRows(
  tools: WalkTools,
  driver: Driver,
  range: IdRange,
  { skip, limit, maxRows, isShort = false }: WantedRows,
): Promise<Found> {
  const { db, dialect, direction } = tools;
  const { walk, conditions } = driver;
  const found: Found = { ids: [], skipped: 0, rest: range, walked: 0, matched: 0 };
  const isPure = conditions.length === 0;
  const wanted = skip + limit;
  const branches = branchCount(walk);
  // The statement ends by itself when it has found them.
  const endsItself = isPure && branches === 1 && wanted <= SLICE_ROWS;
  const firstRows = endsItself || isShort ? undefined : wanted * (isPure ? branches : 4);
  for await (const slice of slices(tools, driver, range, firstRows)) {
    const toSkip = skip - found.skipped;
    if (isPure && slice.rows !== undefined && slice.rows <= toSkip) {
      found.skipped += slice.rows;
    } else {
      const stretch: Stretch = { walk, range: slice.range, direction, conditions };
      const ids = await firstIds(db, dialect, stretch, toSkip + limit - found.ids.length);
      found.skipped += Math.min(toSkip, ids.length);
      found.ids.push(...ids.slice(toSkip));
    }
    const last = found.ids.at(-1);
    if (found.ids.length === limit && last !== undefined) {
      return { ...found, rest: rangeBehind(range, last, direction) };
    }
    found.rest = slice.rest;
    const isLast = isEmptyRange(slice.rest);
    found.walked += slice.rows ?? (isLast ? 0 : await rowsOn(tools, driver, slice.range));
    found.matched = found.skipped + found.ids.length;
    if (found.walked >= maxRows) return found;
    tools.checkTime();
  }
  return found;
}

interface WantedParts extends WantedRows {
  /** Returns the parts of a range in which rows may match. */
  partsOf: (rest: IdRange) => Promise<Part[]>;
}

/** Finds rows as {@link findRows} does, but reads only some parts of the range after many rows that do not match. */
export async function findRowsInParts(
  tools: WalkTools,
  driver: Driver,
  range: IdRange,
  { skip, limit, partsOf }: WantedParts,
): Promise<Found> {
  const found = await findRows(tools, driver, range, { skip, limit, maxRows: PLAIN_ROWS });
  if (found.ids.length === limit || isEmptyRange(found.rest)) return found;
  for (const part of await partsOf(found.rest)) {
    const isShort = part.rows !== undefined && part.rows <= SLICE_ROWS;
    const more = await findRows(tools, driver, part.range, {
      skip: skip - found.skipped,
      limit: limit - found.ids.length,
      maxRows: Infinity,
      isShort,
    });
    found.ids.push(...more.ids);
    found.skipped += more.skipped;
    const isFull = found.ids.length === limit;
    found.walked += part.passed;
    found.walked += isShort || !isFull ? (part.rows ?? more.walked) : more.walked;
    found.matched = found.skipped + found.ids.length;
    const last = found.ids.at(-1);
    if (isFull && last !== undefined) {
      return { ...found, rest: rangeBehind(range, last, tools.direction) };
    }
  }
  return { ...found, rest: { from: range.from, until: range.from } };
}

/** Rows on a part of the way, whatever is asked of them. */
export function rowsOn(
  { db, dialect, direction }: WalkTools,
  { walk }: Driver,
  range: IdRange,
): Promise<number> {
  return countRows(db, dialect, { walk, range, direction, conditions: [] }, SLICE_ROWS);
}
