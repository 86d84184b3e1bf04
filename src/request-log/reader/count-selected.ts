import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { ScopedLogs } from '../log-dialect.ts';
import type { LogPage, LogSelection } from '../log-query.ts';
import { countAll, hasContext } from './contexts.ts';
import { type AccessPath, planAccess } from './query-plan.ts';
import { type IdRange, isEmptyRange, rangeOf, SLICE_ROWS } from './id-range.ts';
import { countOutsideRange } from './count-outside-range.ts';
import { type SortGroup, wholeGroup } from './sort-groups.ts';
import { type ScanRange, countRows, firstIds, primaryScan } from './index-scan.ts';
import { type ScanTools, rowsOn, slices } from './scan-runner.ts';

type Count = Omit<LogPage, 'rows'>;

/** The rows of an index that were read. */
export interface ScannedRows {
  scanned: number;
  /** Number of matching rows among them. */
  matched: number;
  /** Number of rows that the index leads to; undefined: unknown. */
  rowCount: number | undefined;
}

/** After so many rows, or so many matching ones, the rest is estimated. */
const SCANNED_ROWS = SLICE_ROWS;
const COUNTED_ROWS = 10_000;

/**
 * Counts the rows of a selection: exactly by the stored counts of contexts or for few rows, or else as an estimate from the
 * newest rows.
 * @param found the rows that were read for the first page
 */
export async function countSelected(
  logs: ScopedLogs,
  selection: LogSelection,
  found?: ScannedRows,
): Promise<Count> {
  const { scope } = logs;
  const range = rangeOf(selection);
  if (isEmptyRange(range)) return { totalCount: 0, isEstimated: false };
  const group = await wholeGroup(logs, selection);
  if (group.rowCount === 0) return { totalCount: 0, isEstimated: false };
  const isPlain = group.conditions.length === 0;
  const inContexts = group.contexts.length === 0 ? [] : [hasContext(scope, group.contexts)];
  const outside = await countOutsideRange(logs, range, isPlain ? inContexts : []);
  if (isPlain && outside !== undefined) {
    return { totalCount: Math.max(0, group.rowCount - outside), isEstimated: false };
  }
  const isWhole = outside === 0;
  if (isWhole && found?.rowCount !== undefined && found.scanned >= SCANNED_ROWS) {
    const totalCount = Math.round((found.matched * found.rowCount) / found.scanned);
    return { totalCount: Math.min(totalCount, group.rowCount), isEstimated: true };
  }
  return countBySample(logs, group, range, isWhole);
}

/** @param isWhole the range contains all rows of the gateway */
async function countBySample(
  logs: ScopedLogs,
  group: SortGroup,
  range: IdRange,
  isWhole: boolean,
): Promise<Count> {
  const total = await countAll(logs.db, logs.scope);
  const plan = await planAccess(logs, group, { range, count: COUNTED_ROWS, total });
  const path = plan.at(-1)?.path;
  if (path === undefined) return { totalCount: 0, isEstimated: false };
  const tools: ScanTools = { ...logs, direction: 'desc', checkTime: () => undefined };
  const sample = await takeSample(tools, path, range);
  if (isEmptyRange(sample.rest)) return { totalCount: sample.matched, isEstimated: false };
  const { rowCount } = path;
  const share =
    isWhole && rowCount !== undefined && sample.scanned > 0
      ? rowCount / sample.scanned
      : await timeShare(logs, range, sample.rest);
  const totalCount = Math.round(sample.matched * Math.max(1, share));
  return { totalCount: Math.min(totalCount, group.rowCount), isEstimated: true };
}

interface Sample {
  matched: number;
  scanned: number;
  /** The range that was not read. */
  rest: IdRange;
}

async function takeSample(tools: ScanTools, path: AccessPath, range: IdRange): Promise<Sample> {
  const { db, dialect, direction } = tools;
  const { scan, conditions } = path;
  const sample: Sample = { matched: 0, scanned: 0, rest: range };
  if (conditions.length === 0) {
    // In one statement, because slices of many branches take longer than counting their rows.
    const scanRange: ScanRange = { scan, range, direction, conditions };
    const count = await countRows(db, dialect, scanRange, SCANNED_ROWS + 1);
    const nothing = { from: range.from, until: range.from };
    if (count <= SCANNED_ROWS) return { matched: count, scanned: count, rest: nothing };
  }
  for await (const slice of slices(tools, path, range, SLICE_ROWS / 4)) {
    const scanRange = { scan, range: slice.range, direction, conditions };
    sample.matched += await countRows(db, dialect, scanRange, SLICE_ROWS);
    sample.scanned += slice.rows ?? (await rowsOn(tools, path, slice.range));
    sample.rest = slice.rest;
    if (sample.scanned >= SCANNED_ROWS || sample.matched >= COUNTED_ROWS) break;
  }
  return sample;
}

/** Returns the ratio of the time of a whole range to the time of the part that was read. */
async function timeShare(logs: ScopedLogs, range: IdRange, rest: IdRange): Promise<number> {
  const { db, dialect, scope } = logs;
  const scan = primaryScan(scope);
  const [newest] = await firstIds(
    db,
    dialect,
    { scan, range, direction: 'desc', conditions: [] },
    1,
  );
  const [oldest] = await firstIds(
    db,
    dialect,
    { scan, range, direction: 'asc', conditions: [] },
    1,
  );
  if (newest === undefined || oldest === undefined) return 1;
  const wholeMs = timeOfUuidV7(newest) - timeOfUuidV7(oldest);
  const lookedAtMs = timeOfUuidV7(newest) - timeOfUuidV7(rest.until);
  return lookedAtMs <= 0 ? 1 : wholeMs / lookedAtMs;
}
