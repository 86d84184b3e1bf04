import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { Db } from '../../storage/schema.ts';
import { ALL } from '../rollups/rollup-dimensions.ts';
import { joinExtremes } from '../rollups/rollup-sums.ts';
import type { LogScope } from '../log-dialect.ts';
import type { Extremes, LogExtremes, LogFilter, Operator, RowField } from '../log-query.ts';
import {
  GREATEST_ID,
  type IdRange,
  LEAST_ID,
  isEmptyRange,
  leastIdOf,
  overlap,
} from './id-range.ts';

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1_000;

/** The start after a gap costs as much as reading so many rows. */
const MIN_GAP_ROWS = 2_000;

/** Columns with known least and greatest values per hour. */
export type BoundedField = 'duration_ms' | 'tokens_in' | 'tokens_out' | 'cost_nano_usd';

const BOUNDED_FIELDS: ReadonlySet<RowField> = new Set<BoundedField>([
  'duration_ms',
  'tokens_in',
  'tokens_out',
  'cost_nano_usd',
]);

/** The known bounds of all rows of an hour. */
export interface Hour {
  startMs: number;
  range: IdRange;
  /** Upper bound of the number of rows. */
  rows: number;
  /** Bounds of the values of the rows. */
  extremes: LogExtremes;
}

/** A part of a range between skipped hours. */
export interface Part {
  range: IdRange;
  /** Upper bound of the number of rows; undefined: unknown. */
  rows: number | undefined;
  /** Number of rows that were skipped directly before it. */
  passed: number;
}

/** The known hours of a query, read at their first use. */
export class QueryHours {
  readonly #readHours: () => Promise<Hour[]>;
  readonly #filters: (RowFilter & { field: BoundedField })[];
  #hours: Promise<Hour[]> | undefined;

  constructor(db: Db, scope: LogScope, range: IdRange, filters: readonly LogFilter[]) {
    this.#readHours = () => readHours(db, scope, range);
    this.#filters = filters.filter(isBounded);
  }

  /** The filters may exclude whole hours. */
  get canExclude(): boolean {
    return this.#filters.length > 0;
  }

  /** Returns the hours with reliable bounds in order of time. */
  read(): Promise<Hour[]> {
    return (this.#hours ??= this.#readHours());
  }

  /** Returns true if a row of an hour may match the filters. */
  mayMatch({ extremes }: Hour): boolean {
    return this.#filters.every(({ field, operator, values }) =>
      mayMatch(extremes[field], operator, values),
    );
  }
}

type RowFilter = Extract<LogFilter, { on: 'row' }>;

function isBounded(filter: LogFilter): filter is RowFilter & { field: BoundedField } {
  const isComparison =
    filter.operator === 'eq' || filter.operator === 'lt' || filter.operator === 'gt';
  return filter.on === 'row' && BOUNDED_FIELDS.has(filter.field) && isComparison;
}

/** Compares like matches.ts, for any value between the extremes. Any hour may contain null. */
function mayMatch(extremes: Extremes, operator: Operator, values: readonly unknown[]): boolean {
  return values.some((value) => {
    if (value === null) return operator === 'eq';
    if (typeof value !== 'number') return true;
    if (extremes === null) return false;
    const { min, max } = extremes;
    if (operator === 'lt') return min < value;
    return operator === 'gt' ? max > value : min <= value && value <= max;
  });
}

/**
 * Returns the hours of a range with reliable bounds in order of time. Sums are written with their rows, so they include all
 * rows of their hour, except
 * - in an hour without sums, whose retention differs
 * - in the first hour with sums, which may contain rows from before the first sum
 * - in an hour that starts before the range, where the sums of an earlier gateway are deleted
 * Sums of earlier gateways and of deleted rows only widen the bounds. Uses the primary key.
 */
async function readHours(db: Db, scope: LogScope, { from, until }: IdRange): Promise<Hour[]> {
  const sums = await db
    .selectFrom('gateway_log_rollups')
    .select(['start_at', 'requests', 'extremes'])
    .where((where) => where.and(scope))
    .where('step_seconds', '=', HOUR_SECONDS)
    .where('dimension', '=', ALL)
    .where('start_at', '>=', timeOfUuidV7(from))
    .where('start_at', '<', timeOfUuidV7(until))
    .orderBy('start_at')
    .execute();
  const hours = new Map<number, Hour>();
  const unknown = new Set<number>();
  for (const { start_at: startMs, requests, extremes: text } of sums) {
    if (text === null) {
      unknown.add(startMs);
      continue;
    }
    const extremes = JSON.parse(text) as LogExtremes;
    const other = hours.get(startMs);
    hours.set(startMs, {
      startMs,
      range: { from: leastIdOf(startMs), until: leastIdOf(startMs + HOUR_MS) },
      rows: requests + (other?.rows ?? 0),
      extremes: other === undefined ? extremes : joinExtremes(other.extremes, extremes),
    });
  }
  const firstMs = sums[0]?.start_at;
  return [...hours.values()].filter(({ startMs }) => startMs !== firstMs && !unknown.has(startMs));
}

/** Successive hours. */
interface Gap {
  range: IdRange;
  rows: number;
}

interface WantedHours {
  /** In order of time. */
  hours: readonly Hour[];
  isWanted: (hour: Hour) => boolean;
  /** The share of the gateway's rows that the index leads to. */
  share: number;
}

/**
 * Returns the parts of a range without the hours that are not wanted, in the order of a list. Hours with few rows stay
 * in, because a further part costs more.
 */
export function partsOf(
  range: IdRange,
  direction: 'asc' | 'desc',
  { hours, isWanted, share }: WantedHours,
): Part[] {
  const gaps = gapsOf(hours, isWanted).filter(
    (gap) => gap.rows * share >= MIN_GAP_ROWS && !isEmptyRange(overlap(gap.range, range)),
  );
  const byStart = new Map(hours.map((hour) => [hour.startMs, hour]));
  const parts: Part[] = [];
  let left = range;
  let passed = 0;
  const add = (part: IdRange): void => {
    if (!isEmptyRange(part)) parts.push({ range: part, rows: rowsIn(byStart, part), passed });
  };
  for (const gap of direction === 'desc' ? gaps.toReversed() : gaps) {
    const before = { from: LEAST_ID, until: gap.range.from };
    const behind = { from: gap.range.until, until: GREATEST_ID };
    add(overlap(left, direction === 'desc' ? behind : before));
    left = overlap(left, direction === 'desc' ? before : behind);
    passed = gap.rows;
  }
  add(left);
  return parts;
}

function gapsOf(hours: readonly Hour[], isWanted: (hour: Hour) => boolean): Gap[] {
  const gaps: Gap[] = [];
  for (const hour of hours) {
    if (isWanted(hour)) continue;
    const { range, rows } = hour;
    const last = gaps.at(-1);
    if (last !== undefined && last.range.until === range.from) {
      last.range = { ...last.range, until: range.until };
      last.rows += rows;
    } else {
      gaps.push({ range, rows });
    }
  }
  return gaps;
}

/** Returns the number of rows of a range, if all of its hours are known. */
function rowsIn(hours: ReadonlyMap<number, Hour>, { from, until }: IdRange): number | undefined {
  const untilMs = timeOfUuidV7(until);
  const firstMs = Math.floor(timeOfUuidV7(from) / HOUR_MS) * HOUR_MS;
  let rows = 0;
  for (let startMs = firstMs; startMs < untilMs; startMs += HOUR_MS) {
    const hour = hours.get(startMs);
    if (hour === undefined) return undefined;
    rows += hour.rows;
  }
  return rows;
}
