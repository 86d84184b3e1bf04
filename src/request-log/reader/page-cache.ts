import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../storage/schema.ts';
import type { LogListQuery, LogPage, LogSelection } from '../log-query.ts';
import type { IdRange } from './id-range.ts';

/** The position in a list after a page. */
interface PagePosition {
  group: string;
  range: IdRange;
}

const MAX_POSITIONS = 2_000;
/** A client that requests the next page later gets the list at that time. */
const LIFETIME_MS = 60_000;

/** With a limited retention, the beginning of a list moves continuously. */
const SINCE_STEP_MS = 3_600_000;

type Count = Omit<LogPage, 'rows'>;

const BOUNDS = { max: MAX_POSITIONS, ttl: LIFETIME_MS, perf: performance };

/** Positions and counts of the lists of one database. */
class CachedLists {
  readonly positions = new LRUCache<string, PagePosition>(BOUNDS);
  readonly counts = new LRUCache<string, Count>(BOUNDS);
}

const cachedLists = new WeakMap<Db, CachedLists>();

function cacheOf(db: Db): CachedLists {
  const known = cachedLists.get(db);
  if (known !== undefined) return known;
  const lists = new CachedLists();
  cachedLists.set(db, lists);
  return lists;
}

function keyOf(query: LogListQuery, offset: number): string {
  const { orderBy, direction } = query;
  return JSON.stringify([selectionKeyOf(query), orderBy, direction, offset]);
}

function selectionKeyOf(selection: LogSelection): string {
  const { accountId, gatewayId, sinceMs, filters, search } = selection;
  const since = Math.floor(sinceMs / SINCE_STEP_MS);
  return JSON.stringify([accountId, gatewayId, since, filters, search]);
}

/** Returns the length of a list from its first page, shortly before; undefined for the first page. */
export function findCount(db: Db, query: LogListQuery): Count | undefined {
  return query.offset === 0 ? undefined : cacheOf(db).counts.get(selectionKeyOf(query));
}

/** Remembers the length of a list for the following pages. */
export function storeCount(db: Db, query: LogListQuery, count: Count): void {
  cacheOf(db).counts.set(selectionKeyOf(query), count);
}

/**
 * Returns the position of a page if the page before was read recently. Otherwise, each page would skip all pages before it.
 * The list then continues where it was, even if there are new rows at its beginning.
 */
export function findPosition(
  db: Db,
  query: LogListQuery,
): (PagePosition & { offset: number }) | undefined {
  if (query.offset === 0) return undefined;
  const position = cacheOf(db).positions.get(keyOf(query, query.offset));
  return position && { ...position, offset: query.offset };
}

/** Stores the position of the next page. */
export function storePosition(db: Db, query: LogListQuery, group: string, range: IdRange): void {
  cacheOf(db).positions.set(keyOf(query, query.offset + query.limit), { group, range });
}
