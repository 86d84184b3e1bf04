import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../storage/schema.ts';
import type { LogListQuery, LogPage, LogSelection } from '../log-query.ts';
import type { IdRange } from './id-range.ts';

/** The position in a list after a page. */
interface Place {
  section: string;
  range: IdRange;
}

const MAX_PLACES = 2_000;
/** A client that requests the next page later gets the list at that time. */
const LIFETIME_MS = 60_000;

/** With a limited retention, the beginning of a list moves continuously. */
const SINCE_STEP_MS = 3_600_000;

type Count = Omit<LogPage, 'rows'>;

const BOUNDS = { max: MAX_PLACES, ttl: LIFETIME_MS, perf: performance };

/** Positions and counts of the lists of one database. */
class KnownLists {
  readonly places = new LRUCache<string, Place>(BOUNDS);
  readonly counts = new LRUCache<string, Count>(BOUNDS);
}

const knownLists = new WeakMap<Db, KnownLists>();

function listsOf(db: Db): KnownLists {
  const known = knownLists.get(db);
  if (known !== undefined) return known;
  const lists = new KnownLists();
  knownLists.set(db, lists);
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
  return query.offset === 0 ? undefined : listsOf(db).counts.get(selectionKeyOf(query));
}

/** Remembers the length of a list for the following pages. */
export function noteCount(db: Db, query: LogListQuery, count: Count): void {
  listsOf(db).counts.set(selectionKeyOf(query), count);
}

/**
 * Returns the position of a page if the page before was read recently. Otherwise, each page would skip all pages before it.
 * The list then continues where it was, even if there are new rows at its beginning.
 */
export function findPlace(db: Db, query: LogListQuery): (Place & { offset: number }) | undefined {
  if (query.offset === 0) return undefined;
  const place = listsOf(db).places.get(keyOf(query, query.offset));
  return place && { ...place, offset: query.offset };
}

/** Stores the position of the next page. */
export function notePlace(db: Db, query: LogListQuery, section: string, range: IdRange): void {
  listsOf(db).places.set(keyOf(query, query.offset + query.limit), { section, range });
}
