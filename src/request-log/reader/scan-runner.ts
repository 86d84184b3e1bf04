import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import type { AccessPath } from './query-plan.ts';
import type { Part } from './hour-extremes.ts';
import {
  type IdRange,
  SLICE_ROWS,
  isEmptyRange,
  leastIdOf,
  rangeBehind,
  rangeUpTo,
} from './id-range.ts';
import { type ScanRange, branchCount, countRows, firstIds, nearestId } from './index-scan.ts';

const FIRST_SLICE_ROWS = 500;
/** After so many rows without a match, a lookup of the hours pays off. */
const PLAIN_ROWS = 5_000;
const DAY_MS = 86_400_000;

export interface ScanTools extends ScopedLogs {
  direction: 'asc' | 'desc';
  /** @throws Error after the time limit */
  checkTime(): void;
}

/** A part of a scan that one statement can read completely. */
export interface Slice {
  range: IdRange;
  /** The range after it; empty at the end. */
  rest: IdRange;
  /** Number of rows in it; undefined: unknown. */
  rows: number | undefined;
}

/**
 * Divides a range into slices in the order of a list. Other reads of the thread run in between.
 * @param firstRows rows of the first slice; each slice has twice as many as the one before; undefined: slices of any size, of
 *   which the user does not read all rows
 */
export async function* slices(
  tools: ScanTools,
  path: AccessPath,
  range: IdRange,
  firstRows: number | undefined,
): AsyncGenerator<Slice> {
  const { db, dialect, direction } = tools;
  const { scan } = path;
  let rows = Math.min(Math.max(firstRows ?? 0, FIRST_SLICE_ROWS), SLICE_ROWS);
  for (let left = range; !isEmptyRange(left);) {
    const window = windowOf(dialect, left, direction, range);
    const scanRange = { scan, range: window, direction, conditions: [] };
    const share = Math.ceil(rows / branchCount(scan));
    const end =
      firstRows === undefined ? undefined : await nearestId(db, dialect, scanRange, share - 1);
    const part = end === undefined ? window : rangeUpTo(window, end, direction);
    const rest =
      direction === 'desc' ? { ...left, until: part.from } : { ...left, from: part.until };
    const isKnown = end !== undefined && branchCount(scan) === 1;
    yield { range: part, rest, rows: isKnown ? share : undefined };
    left = rest;
    rows = Math.min(2 * rows, SLICE_ROWS);
    await nextTurn();
  }
}

/**
 * Limits the range of a statement on PostgreSQL, which plans it for the partitions of all days in the range: a list starts with
 * one day and doubles the number of days each time.
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

/** The result of a part of a scan. */
export interface FoundRows {
  ids: string[];
  /** Number of skipped rows. */
  skipped: number;
  /** The range that was not read; empty at the end. */
  rest: IdRange;
  /** Number of rows in completely read slices. */
  scanned: number;
  /** Number of matching rows in them. */
  matched: number;
}

/** The rows to find by a scan. */
export interface WantedRows {
  /** Number of matching rows to skip first. */
  skip: number;
  limit: number;
  /** Approximate limit of rows to read. */
  maxRows: number;
  /** One statement can read all rows. */
  isShort?: boolean;
}

/** @returns undefined if the statement ends by itself after the last row to find */
function firstRowsOf({ scan, conditions }: AccessPath, wanted: number): number | undefined {
  if (conditions.length > 0) return wanted * 4;
  const branches = branchCount(scan);
  return branches === 1 && wanted <= SLICE_ROWS ? undefined : wanted * branches;
}

/** Reads a range until enough rows are found. */
export async function findRows(
  tools: ScanTools,
  path: AccessPath,
  range: IdRange,
  { skip, limit, maxRows, isShort = false }: WantedRows,
): Promise<FoundRows> {
  const { db, dialect, direction } = tools;
  const { scan, conditions } = path;
  const found: FoundRows = { ids: [], skipped: 0, rest: range, scanned: 0, matched: 0 };
  const isPure = conditions.length === 0;
  const firstRows = isShort ? undefined : firstRowsOf(path, skip + limit);
  for await (const slice of slices(tools, path, range, firstRows)) {
    const toSkip = skip - found.skipped;
    if (isPure && slice.rows !== undefined && slice.rows <= toSkip) found.skipped += slice.rows;
    else {
      const scanRange: ScanRange = { scan, range: slice.range, direction, conditions };
      const ids = await firstIds(db, dialect, scanRange, toSkip + limit - found.ids.length);
      found.skipped += Math.min(toSkip, ids.length);
      found.ids.push(...ids.slice(toSkip));
    }
    const last = found.ids.at(-1);
    if (found.ids.length === limit && last !== undefined) {
      return { ...found, rest: rangeBehind(range, last, direction) };
    }
    found.rest = slice.rest;
    const isLast = isEmptyRange(slice.rest);
    found.scanned += slice.rows ?? (isLast ? 0 : await rowsOn(tools, path, slice.range));
    found.matched = found.skipped + found.ids.length;
    if (found.scanned >= maxRows) return found;
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
  tools: ScanTools,
  path: AccessPath,
  range: IdRange,
  { skip, limit, partsOf }: WantedParts,
): Promise<FoundRows> {
  const found = await findRows(tools, path, range, { skip, limit, maxRows: PLAIN_ROWS });
  if (found.ids.length === limit || isEmptyRange(found.rest)) return found;
  for (const part of await partsOf(found.rest)) {
    const isShort = part.rows !== undefined && part.rows <= SLICE_ROWS;
    const more = await findRows(tools, path, part.range, {
      skip: skip - found.skipped,
      limit: limit - found.ids.length,
      maxRows: Infinity,
      isShort,
    });
    found.ids.push(...more.ids);
    found.skipped += more.skipped;
    const isFull = found.ids.length === limit;
    found.scanned += part.passed;
    found.scanned += isShort || !isFull ? (part.rows ?? more.scanned) : more.scanned;
    found.matched = found.skipped + found.ids.length;
    const last = found.ids.at(-1);
    if (isFull && last !== undefined) {
      return { ...found, rest: rangeBehind(range, last, tools.direction) };
    }
  }
  return { ...found, rest: { from: range.from, until: range.from } };
}

/** Counts the rows of a part of a scan, without the conditions on rows. */
export function rowsOn(
  { db, dialect, direction }: ScanTools,
  { scan }: AccessPath,
  range: IdRange,
): Promise<number> {
  return countRows(db, dialect, { scan, range, direction, conditions: [] }, SLICE_ROWS);
}
