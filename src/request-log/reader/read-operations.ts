import type { Db } from '../../storage/schema.ts';
import { analyze } from '../analytics/analyze.ts';
import { readExtremes } from '../analytics/read-rollups.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { LogListQuery } from '../log-query.ts';
import type { LogStore } from '../log-store.ts';
import { findEntry } from './find-entry.ts';
import { listEntries, selectIds } from './list-entries.ts';
import { PageCache } from './page-cache.ts';
import { readPayload } from './read-payload.ts';

/** The operations of the reader thread. */
export interface ReadOperations extends Pick<
  LogStore,
  'list' | 'find' | 'readPayload' | 'extremes' | 'analyze'
> {
  /** Returns the ids of the first rows of a list. */
  selectIds(query: LogListQuery): Promise<string[]>;
}

export function createReadOperations(db: Db, dialect: LogDialect): ReadOperations {
  const pages = new PageCache();
  return {
    list: (query) => listEntries(db, dialect, query, pages),
    async selectIds(query) {
      const ids = await selectIds(db, dialect, query, pages);
      return ids.map((id) => dialect.toId(id));
    },
    find: (key) => findEntry(db, dialect, key),
    readPayload: (key, headBytes) => readPayload(db, dialect, key, headBytes),
    extremes: (gateway) => readExtremes(db, dialect, gateway),
    analyze: (query) => analyze(db, dialect, query),
  };
}
