import type { Db } from '../../../storage/schema.ts';
import { analyze } from '../../analytics/analyze.ts';
import type { Analytics, AnalyticsQuery } from '../../analytics/analytics-query.ts';
import { readExtremes } from '../../analytics/read-rollups.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { LogExtremes, LogListQuery, LogPage, StoredLog, StoredPayload } from '../log-query.ts';
import { findEntry } from './find-entry.ts';
import { listEntries } from './list-entries.ts';
import { readPayload } from './read-payload.ts';
import { selectIds } from './select-ids.ts';

/** What the thread that reads can be asked for; see log-store.ts. */
export interface ReadOperations {
  list(query: LogListQuery): Promise<LogPage>;
  /** The ids of the first rows of a list. */
  selectIds(query: LogListQuery): Promise<string[]>;
  find(
    accountId: string,
    gatewayId: string,
    id: string,
    sinceMs: number,
  ): Promise<StoredLog | undefined>;
  readPayload(
    accountId: string,
    gatewayId: string,
    id: string,
    sinceMs: number,
    headBytes?: number,
  ): Promise<StoredPayload | undefined>;
  extremes(accountId: string, gatewayId: string, createdAtMs: number): Promise<LogExtremes>;
  analyze(query: AnalyticsQuery): Promise<Analytics | undefined>;
}

export function createReadOperations(db: Db, dialect: LogDialect): ReadOperations {
  return {
    list: (query) => listEntries(db, dialect, query),
    async selectIds(query) {
      const ids = await selectIds(db, dialect, query);
      return ids.map((id) => dialect.toId(id));
    },
    find: (...which) => findEntry(db, dialect, ...which),
    readPayload: (...which) => readPayload(db, dialect, ...which),
    extremes: (...which) => readExtremes(db, dialect, ...which),
    analyze: (query) => analyze(db, dialect, query),
  };
}
