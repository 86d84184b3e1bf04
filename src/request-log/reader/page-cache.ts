import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
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

/** Positions and lengths of the lists of one database that clients read page by page. */
export class PageCache {
  readonly #positions = new LRUCache<string, PagePosition>(BOUNDS);
  readonly #counts = new LRUCache<string, Count>(BOUNDS);

  /** Returns the length of a list from its first page, shortly before; undefined for the first page. */
  findCount(query: LogListQuery): Count | undefined {
    return query.offset === 0 ? undefined : this.#counts.get(selectionKeyOf(query));
  }

  /** Remembers the length of a list for the following pages. */
  storeCount(query: LogListQuery, count: Count): void {
    this.#counts.set(selectionKeyOf(query), count);
  }

  /**
   * Returns the position of a page if the page before was read recently. Otherwise, each page would skip all pages before it.
   * The list then continues where it was, even if there are new rows at its beginning.
   */
  findPosition(query: LogListQuery): (PagePosition & { offset: number }) | undefined {
    if (query.offset === 0) return undefined;
    const position = this.#positions.get(keyOf(query, query.offset));
    return position && { ...position, offset: query.offset };
  }

  /** Stores the position of the next page. */
  storePosition(query: LogListQuery, group: string, range: IdRange): void {
    this.#positions.set(keyOf(query, query.offset + query.limit), { group, range });
  }
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
