import { sql } from 'kysely';
import type { AccessPath } from './query-plan.ts';
import { type BoundedField, type Hour, partsOf } from './hour-extremes.ts';
import { type IdRange, overlap, SLICE_ROWS } from './id-range.ts';
import { rowExpression } from './row-conditions.ts';
import { SelectionTooBroad } from './too-broad.ts';
import { type ValuedRow, bestRows } from './index-scan.ts';
import { type FoundRows, type ScanTools, slices } from './scan-runner.ts';

/** Maximum number of rows in memory while the others are read. */
const MAX_BEST_ROWS = 20_000;
/** Number of hours that are read one by one; more for a gateway with many rows per hour. */
const MIN_SINGLE_HOURS = 64;
const ROWS_PER_SINGLE_HOUR = 2_000;

/** The order of the rows to find, and the hours that may contain them. */
export interface WantedBest {
  sortedBy: BoundedField;
  skip: number;
  limit: number;
  /** In order of time. Missing hours may contain any rows. */
  hours: readonly Hour[];
  /** Returns true if a row of an hour may match. */
  mayMatch: (hour: Hour) => boolean;
  /** The share of the gateway's rows that the index leads to. */
  share: number;
}

/**
 * Finds the rows with the greatest or the least values, by the direction. Reads the hours with the best values first, and
 * then the parts of the range that may contain better ones.
 * @throws SelectionTooBroad if that takes too long, or the page is too far from the beginning
 */
export async function bestOf(
  tools: ScanTools,
  path: AccessPath,
  range: IdRange,
  { sortedBy, skip, limit, hours, mayMatch, share }: WantedBest,
): Promise<FoundRows> {
  const { direction } = tools;
  const wanted = skip + limit;
  if (wanted > MAX_BEST_ROWS) throw new SelectionTooBroad();
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: ValuedRow, b: ValuedRow): number =>
    sign * (a.value - b.value || (a.id < b.id ? -1 : 1));
  const bounds = new Map<Hour, ValuedRow>();
  for (const hour of hours) {
    const bound = mayMatch(hour) ? boundOf(hour, sortedBy, direction) : undefined;
    if (bound !== undefined) bounds.set(hour, bound);
  }
  let best: ValuedRow[] = [];
  const mayImprove = (bound: ValuedRow): boolean => {
    const worst = best[wanted - 1];
    return worst === undefined || compare(bound, worst) < 0;
  };
  const scan = async (part: IdRange, rows: number | undefined): Promise<void> => {
    const isShort = rows !== undefined && rows <= SLICE_ROWS;
    for await (const slice of slices(tools, path, part, isShort ? undefined : SLICE_ROWS)) {
      const more = await bestIn(tools, path, slice.range, { sortedBy, wanted, best });
      // Rows between two hours may be read twice.
      const all = new Map([...best, ...more].map((row) => [row.id, row]));
      best = [...all.values()].toSorted(compare).slice(0, wanted);
      tools.checkTime();
    }
  };
  const promising = [...bounds].toSorted(([, one], [, other]) => compare(one, other));
  const singleHours = Math.max(MIN_SINGLE_HOURS, (path.rowCount ?? 0) / ROWS_PER_SINGLE_HOUR);
  for (const [hour, bound] of promising.slice(0, singleHours)) {
    if (!mayImprove(bound)) break;
    await scan(overlap(hour.range, range), hour.rows);
    bounds.delete(hour);
  }
  const isWanted = (hour: Hour): boolean => {
    const bound = bounds.get(hour);
    return bound !== undefined && mayImprove(bound);
  };
  for (const part of partsOf(range, direction, { hours, isWanted, share })) {
    await scan(part.range, part.rows);
  }
  return {
    ids: best.slice(skip).map(({ id }) => id),
    skipped: Math.min(skip, best.length),
    rest: { from: range.from, until: range.from },
    scanned: 0,
    matched: 0,
  };
}

/** Returns a bound before all rows of an hour; undefined: none of its rows has a value. */
function boundOf(
  { range, extremes }: Hour,
  field: BoundedField,
  direction: 'asc' | 'desc',
): ValuedRow | undefined {
  const known = extremes[field];
  if (known === null) return undefined;
  return direction === 'asc'
    ? { value: known.min, id: range.from }
    : { value: known.max, id: range.until };
}

interface BestSoFar {
  sortedBy: BoundedField;
  /** The number of rows to find. */
  wanted: number;
  best: readonly ValuedRow[];
}

/** Finds the rows of a range that are better than the worst of the best rows so far. */
function bestIn(
  tools: ScanTools,
  { scan, conditions }: AccessPath,
  range: IdRange,
  { sortedBy, wanted, best }: BestSoFar,
): Promise<ValuedRow[]> {
  const { direction } = tools;
  const value = rowExpression(sortedBy);
  const worst = best[wanted - 1]?.value;
  const isBetter = direction === 'asc' ? sql`${value} <= ${worst}` : sql`${value} >= ${worst}`;
  const asked = worst === undefined ? conditions : [...conditions, isBetter];
  return bestRows(tools, { scan, range, direction, conditions: asked }, value, wanted);
}
