import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../../storage/schema.ts';
import type { LogListQuery, LogPage, LogSelection } from '../log-query.ts';
import type { IdRange } from './id-range.ts';

/** Where a list goes on behind a page that was given. */
interface Place {
  section: string;
  range: IdRange;
}

const MAX_PLACES = 2_000;
/** A client that takes longer from page to page gets what is there by then. */
const LIFETIME_MS = 60_000;

/** Where logs are kept for some days, what is shown begins later with each moment. */
const SINCE_STEP_MS = 3_600_000;

type Count = Omit<LogPage, 'rows'>;

const BOUNDS = { max: MAX_PLACES, ttl: LIFETIME_MS, perf: performance };

/** What is known of the lists of one database. */
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

/** How long a list was a moment ago, when its first page was given; undefined: on the first page. */
export function findCount(db: Db, query: LogListQuery): Count | undefined {
  return query.offset === 0 ? undefined : listsOf(db).counts.get(selectionKeyOf(query));
}

/** Notes how long a list is, for the pages that follow. */
export function noteCount(db: Db, query: LogListQuery, count: Count): void {
  listsOf(db).counts.set(selectionKeyOf(query), count);
}

/**
 * Where a page begins, if the one before it was given a moment ago: clients that read page after page
 * would otherwise have all pages before skipped for each. To them the list goes on where it was, even if
 * there are new rows at its beginning.
 */
export function findPlace(db: Db, query: LogListQuery): (Place & { offset: number }) | undefined {
  if (query.offset === 0) return undefined;
  const place = listsOf(db).places.get(keyOf(query, query.offset));
  return place && { ...place, offset: query.offset };
}

/** Notes where the page behind this one begins. */
export function notePlace(db: Db, query: LogListQuery, section: string, range: IdRange): void {
  listsOf(db).places.set(keyOf(query, query.offset + query.limit), { section, range });
}
