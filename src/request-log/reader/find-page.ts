import { performance } from 'node:perf_hooks';
import type { ScopedLogs } from '../log-dialect.ts';
import type { LogListQuery } from '../log-query.ts';
import { bestOf } from './best-rows.ts';
import { countAll } from './contexts.ts';
import type { ScannedRows } from './count-selected.ts';
import { type AccessPath, planAccess } from './query-plan.ts';
import { type IdRange, isEmptyRange, overlap, rangeOf, SLICE_ROWS } from './id-range.ts';
import { type Hour, QueryHours, partsOf } from './hour-extremes.ts';
import { countOutsideRange } from './count-outside-range.ts';
import type { PageCache } from './page-cache.ts';
import { type SortGroup, sortGroupsOf } from './sort-groups.ts';
import { SelectionTooBroad } from './too-broad.ts';
import {
  type FoundRows,
  type ScanTools,
  type WantedRows,
  findRows,
  findRowsInParts,
} from './scan-runner.ts';

/** No client waits longer. */
const DEADLINE_MS = 5_000;

/** The ids of one page. */
export interface FoundPage {
  ids: string[];
  /** The page contains the last row. */
  isLast: boolean;
  /** The rows that were read from the beginning of the list. */
  sample: ScannedRows | undefined;
}

/**
 * Finds the ids of a page, group by group, and in each group in the order of time.
 * @throws SelectionTooBroad
 */
export async function findPage(
  logs: ScopedLogs,
  query: LogListQuery,
  cache: PageCache,
): Promise<FoundPage> {
  const { db, scope } = logs;
  const tools = createTools(logs, query);
  const range = rangeOf(query);
  const groups = await groupsOf(logs, query, range);
  const total = await countAll(db, scope);
  const hours = new QueryHours(db, scope, range, query.filters);
  const position = cache.findPosition(query);
  let skip = query.offset - (position?.offset ?? 0);
  const ids: string[] = [];
  const mayLeap = skip > 0 && (await areCountsExact(logs, range, groups));
  for (const group of fromPosition(groups, position?.group)) {
    const isBegun = position !== undefined && group.name === position.group;
    if (mayLeap && !isBegun && skip >= group.rowCount) {
      skip -= group.rowCount;
      continue;
    }
    const start = isBegun ? overlap(position.range, range) : range;
    const limit = query.limit - ids.length;
    const wanted = { range: start, skip, limit, total, hours };
    const found = await findInGroup(tools, group, wanted);
    ids.push(...found.ids);
    skip -= found.skipped;
    const isFromTop = position === undefined && groups.length === 1;
    if (ids.length < query.limit) continue;
    // A list that is sorted by values has no position to continue from.
    if (group.sortedBy === undefined) cache.storePosition(query, group.name, found.rest);
    const isLast = isEnd(groups, group, found.rest);
    return { ids, isLast, sample: isFromTop ? found.sample : undefined };
  }
  return { ids, isLast: true, sample: undefined };
}

async function groupsOf(
  logs: ScopedLogs,
  query: LogListQuery,
  range: IdRange,
): Promise<SortGroup[]> {
  return isEmptyRange(range) ? [] : sortGroupsOf(logs, query);
}

function isEnd(groups: readonly SortGroup[], group: SortGroup, rest: IdRange): boolean {
  return group === groups.at(-1) && isEmptyRange(rest);
}

function createTools(logs: ScopedLogs, { direction }: LogListQuery): ScanTools {
  const startMs = performance.now();
  return {
    ...logs,
    direction,
    checkTime() {
      if (performance.now() - startMs > DEADLINE_MS) throw new SelectionTooBroad();
    },
  };
}

/** Returns true if the counts of several groups are those of their rows in the range, so that whole groups can be skipped. */
async function areCountsExact(
  logs: ScopedLogs,
  range: IdRange,
  groups: readonly SortGroup[],
): Promise<boolean> {
  const hasConditions = groups.some(({ conditions }) => conditions.length > 0);
  if (groups.length < 2 || hasConditions) return false;
  return (await countOutsideRange(logs, range, [])) === 0;
}

function fromPosition(groups: SortGroup[], name: string | undefined): SortGroup[] {
  return name === undefined ? groups : groups.slice(groups.findIndex((one) => one.name === name));
}

interface Wanted {
  range: IdRange;
  skip: number;
  limit: number;
  /** Number of rows of the gateway. */
  total: number;
  hours: QueryHours;
}

async function findInGroup(
  tools: ScanTools,
  group: SortGroup,
  { range, skip, limit, total, hours }: Wanted,
): Promise<FoundRows & { sample: ScannedRows | undefined }> {
  const count = skip + limit;
  const plan = await planAccess(tools, group, { range, count, total });
  const found: FoundRows = { ids: [], skipped: 0, rest: range, scanned: 0, matched: 0 };
  let sample: ScannedRows | undefined;
  for (const { path, maxRows } of plan) {
    const wanted = { skip: skip - found.skipped, limit: limit - found.ids.length, maxRows };
    const share = Math.min(1, (path.rowCount ?? total) / total);
    const more = await findOnPath(tools, path, found.rest, {
      ...wanted,
      sortedBy: group.sortedBy,
      share,
      hours,
    });
    found.ids.push(...more.ids);
    found.skipped += more.skipped;
    found.rest = more.rest;
    sample = { scanned: more.scanned, matched: more.matched, rowCount: path.rowCount };
    if (found.ids.length === limit || isEmptyRange(found.rest)) break;
  }
  return { ...found, sample: plan.length === 1 ? sample : undefined };
}

interface WantedOnPath extends WantedRows {
  sortedBy: SortGroup['sortedBy'];
  hours: QueryHours;
  /** The share of the gateway's rows that the index leads to. */
  share: number;
}

/** Skips hours without matching rows, unless reading all hours is fast. */
async function findOnPath(
  tools: ScanTools,
  path: AccessPath,
  range: IdRange,
  { sortedBy, hours, share, ...wanted }: WantedOnPath,
): Promise<FoundRows> {
  const mayMatch = (hour: Hour): boolean => hours.mayMatch(hour);
  if (sortedBy !== undefined) {
    const isShort = path.rowCount !== undefined && path.rowCount <= SLICE_ROWS;
    const known = isShort ? [] : await hours.read();
    return bestOf(tools, path, range, { ...wanted, sortedBy, hours: known, mayMatch, share });
  }
  if (!hours.canExclude) return findRows(tools, path, range, wanted);
  return findRowsInParts(tools, path, range, {
    ...wanted,
    partsOf: async (rest) =>
      partsOf(rest, tools.direction, { hours: await hours.read(), isWanted: mayMatch, share }),
  });
}
