import { performance } from 'node:perf_hooks';
import type { ScopedLogs } from '../log-dialect.ts';
import type { LogListQuery } from '../log-query.ts';
import { bestOf } from './best-rows.ts';
import { countAll } from './contexts.ts';
import type { WalkedRows } from './count-selected.ts';
import { type Driver, chooseWays } from './driver.ts';
import { type IdRange, isEmptyRange, overlap, rangeOf, SLICE_ROWS } from './id-range.ts';
import { type Hour, QueryHours, partsOf } from './hour-extremes.ts';
import { countOutside } from './outside.ts';
import { findPlace, notePlace } from './page-places.ts';
import { type Section, sectionsOf } from './sections.ts';
import { SelectionTooBroad } from './too-broad.ts';
import {
  type Found,
  type WalkTools,
  type WantedRows,
  findRows,
  findRowsInParts,
} from './walker.ts';

/** No client waits longer. */
const DEADLINE_MS = 5_000;

/** The ids of one page. */
export interface FoundPage {
  ids: string[];
  /** The page contains the last row. */
  isLast: boolean;
  /** The rows that were read from the beginning of the list. */
  sample: WalkedRows | undefined;
}

/**
 * Finds the ids of a page, section by section, and in each section in the order of time.
 * @throws SelectionTooBroad
 */
export async function findPage(logs: ScopedLogs, query: LogListQuery): Promise<FoundPage> {
  const { db, scope } = logs;
  const startMs = performance.now();
  const tools: WalkTools = {
    ...logs,
    direction: query.direction,
    checkTime() {
      if (performance.now() - startMs > DEADLINE_MS) throw new SelectionTooBroad();
    },
  };
  const range = rangeOf(query);
  const sections = isEmptyRange(range) ? [] : await sectionsOf(logs, query);
  const total = await countAll(db, scope);
  const hours = new QueryHours(db, scope, range, query.filters);
  const place = findPlace(db, query);
  let skip = query.offset - (place?.offset ?? 0);
  const ids: string[] = [];
  const mayLeap = skip > 0 && sections.length > 1 && !hasConditions(sections);
  const isWhole = mayLeap && (await countOutside(logs, range, [])) === 0;
  for (const section of fromPlace(sections, place?.section)) {
    const isBegun = section.name === place?.section;
    if (isWhole && !isBegun && skip >= section.rowCount) {
      skip -= section.rowCount;
      continue;
    }
    const start = isBegun && place !== undefined ? overlap(place.range, range) : range;
    const limit = query.limit - ids.length;
    const wanted = { range: start, skip, limit, total, hours };
    const found = await findInSection(tools, section, wanted);
    ids.push(...found.ids);
    skip -= found.skipped;
    const isFromTop = place === undefined && sections.length === 1;
    if (ids.length < query.limit) continue;
    // A list that is sorted by values has no position to continue from.
    if (section.sortedBy === undefined) notePlace(db, query, section.name, found.rest);
    const isLast = section === sections.at(-1) && isEmptyRange(found.rest);
    return { ids, isLast, sample: isFromTop ? found.sample : undefined };
  }
  return { ids, isLast: true, sample: undefined };
}

function hasConditions(sections: readonly Section[]): boolean {
  return sections.some(({ conditions }) => conditions.length > 0);
}

function fromPlace(sections: Section[], name: string | undefined): Section[] {
  return name === undefined
    ? sections
    : sections.slice(sections.findIndex((one) => one.name === name));
}

interface Wanted {
  range: IdRange;
  skip: number;
  limit: number;
  /** Number of rows of the gateway. */
  total: number;
  hours: QueryHours;
}

async function findInSection(
  tools: WalkTools,
  section: Section,
  { range, skip, limit, total, hours }: Wanted,
): Promise<Found & { sample: WalkedRows | undefined }> {
  const count = skip + limit;
  const ways = await chooseWays(tools, section, { range, count, total });
  const found: Found = { ids: [], skipped: 0, rest: range, walked: 0, matched: 0 };
  let sample: WalkedRows | undefined;
  for (const { driver, maxRows } of ways) {
    const wanted = { skip: skip - found.skipped, limit: limit - found.ids.length, maxRows };
    const share = Math.min(1, (driver.rowCount ?? total) / total);
    const more = await findOnWay(tools, driver, found.rest, {
      ...wanted,
      sortedBy: section.sortedBy,
      share,
      hours,
    });
    found.ids.push(...more.ids);
    found.skipped += more.skipped;
    found.rest = more.rest;
    sample = { walked: more.walked, matched: more.matched, rowCount: driver.rowCount };
    if (found.ids.length === limit || isEmptyRange(found.rest)) break;
  }
  return { ...found, sample: ways.length === 1 ? sample : undefined };
}

interface WantedOnWay extends WantedRows {
  sortedBy: Section['sortedBy'];
  hours: QueryHours;
  /** The share of the gateway's rows that the index leads to. */
  share: number;
}

/** Skips hours without matching rows, unless reading all hours is fast. */
async function findOnWay(
  tools: WalkTools,
  driver: Driver,
  range: IdRange,
  { sortedBy, hours, share, ...wanted }: WantedOnWay,
): Promise<Found> {
  const mayMatch = (hour: Hour): boolean => hours.mayMatch(hour);
  if (sortedBy !== undefined) {
    const isShort = driver.rowCount !== undefined && driver.rowCount <= SLICE_ROWS;
    const known = isShort ? [] : await hours.read();
    return bestOf(tools, driver, range, { ...wanted, sortedBy, hours: known, mayMatch, share });
  }
  if (!hours.tellApart) return findRows(tools, driver, range, wanted);
  return findRowsInParts(tools, driver, range, {
    ...wanted,
    partsOf: async (rest) =>
      partsOf(rest, tools.direction, { hours: await hours.read(), isWanted: mayMatch, share }),
  });
}
