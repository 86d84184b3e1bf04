import { timeOfUuidV7 } from '../../lib/ids.ts';
import type { ScopedLogs } from '../log-dialect.ts';
import type { LogPage, LogSelection } from '../log-query.ts';
import { countAll, hasContext } from './contexts.ts';
import { type Driver, chooseWays } from './driver.ts';
import { type IdRange, isEmptyRange, rangeOf, SLICE_ROWS } from './id-range.ts';
import { countOutside } from './outside.ts';
import { wholeSection } from './sections.ts';
import { type Stretch, countRows, firstIds, primaryWalk } from './walk.ts';
import { type WalkTools, rowsOn, slices } from './walker.ts';

type Count = Omit<LogPage, 'rows'>;

/** The rows of an index that were read. */
export interface WalkedRows {
  walked: number;
  /** Number of matching rows among them. */
  matched: number;
  /** Number of rows that the index leads to; undefined: unknown. */
  rowCount: number | undefined;
}

/** After so many rows, or so many matching ones, the rest is estimated. */
const WALKED_ROWS = SLICE_ROWS;
const COUNTED_ROWS = 10_000;

/**
 * Counts the rows of a selection: exactly by the stored counts of contexts or for few rows, or else as an estimate from the
 * newest rows.
 * @param found the rows that were read for the first page
 */
export async function countSelected(
  logs: ScopedLogs,
  selection: LogSelection,
  found?: WalkedRows,
): Promise<Count> {
  const { db, scope } = logs;
  const range = rangeOf(selection);
  if (isEmptyRange(range)) return { totalCount: 0, isEstimated: false };
  const section = await wholeSection(logs, selection);
  if (section.rowCount === 0) return { totalCount: 0, isEstimated: false };
  const isPlain = section.conditions.length === 0;
  const inContexts = section.contexts.length === 0 ? [] : [hasContext(scope, section.contexts)];
  const outside = await countOutside(logs, range, isPlain ? inContexts : []);
  if (isPlain && outside !== undefined) {
    return { totalCount: Math.max(0, section.rowCount - outside), isEstimated: false };
  }
  const isWhole = outside === 0;
  if (isWhole && found?.rowCount !== undefined && found.walked >= WALKED_ROWS) {
    const totalCount = Math.round((found.matched * found.rowCount) / found.walked);
    return { totalCount: Math.min(totalCount, section.rowCount), isEstimated: true };
  }
  const total = await countAll(db, scope);
  const wanted = { range, count: COUNTED_ROWS, total };
  const ways = await chooseWays(logs, section, wanted);
  const driver = ways.at(-1)?.driver;
  if (driver === undefined) return { totalCount: 0, isEstimated: false };
  const tools: WalkTools = { ...logs, direction: 'desc', checkTime: () => undefined };
  const sample = await takeSample(tools, driver, range);
  if (isEmptyRange(sample.rest)) return { totalCount: sample.matched, isEstimated: false };
  const { rowCount } = driver;
  const share =
    isWhole && rowCount !== undefined && sample.walked > 0
      ? rowCount / sample.walked
      : await timeShare(logs, range, sample.rest);
  const totalCount = Math.round(sample.matched * Math.max(1, share));
  return { totalCount: Math.min(totalCount, section.rowCount), isEstimated: true };
}

interface Sample {
  matched: number;
  walked: number;
  /** The range that was not read. */
  rest: IdRange;
}

async function takeSample(tools: WalkTools, driver: Driver, range: IdRange): Promise<Sample> {
  const { db, dialect, direction } = tools;
  const { walk, conditions } = driver;
  const sample: Sample = { matched: 0, walked: 0, rest: range };
  if (conditions.length === 0) {
    // In one statement, because slices of many branches take longer than counting their rows.
    const stretch: Stretch = { walk, range, direction, conditions };
    const count = await countRows(db, dialect, stretch, WALKED_ROWS + 1);
    const nothing = { from: range.from, until: range.from };
    if (count <= WALKED_ROWS) return { matched: count, walked: count, rest: nothing };
  }
  for await (const slice of slices(tools, driver, range, SLICE_ROWS / 4)) {
    const stretch = { walk, range: slice.range, direction, conditions };
    sample.matched += await countRows(db, dialect, stretch, SLICE_ROWS);
    sample.walked += slice.rows ?? (await rowsOn(tools, driver, slice.range));
    sample.rest = slice.rest;
    if (sample.walked >= WALKED_ROWS || sample.matched >= COUNTED_ROWS) break;
  }
  return sample;
}

/** Returns the ratio of the time of a whole range to the time of the part that was read. */
async function timeShare(logs: ScopedLogs, range: IdRange, rest: IdRange): Promise<number> {
  const { db, dialect, scope } = logs;
  const walk = primaryWalk(scope);
  const [newest] = await firstIds(
    db,
    dialect,
    { walk, range, direction: 'desc', conditions: [] },
    1,
  );
  const [oldest] = await firstIds(
    db,
    dialect,
    { walk, range, direction: 'asc', conditions: [] },
    1,
  );
  if (newest === undefined || oldest === undefined) return 1;
  const wholeMs = timeOfUuidV7(newest) - timeOfUuidV7(oldest);
  const lookedAtMs = timeOfUuidV7(newest) - timeOfUuidV7(rest.until);
  return lookedAtMs <= 0 ? 1 : wholeMs / lookedAtMs;
}
