import type { Analytics, AnalyticsQuery } from './analytics/analytics-query.ts';
import type {
  LogAnnotation,
  LogExtremes,
  LogKey,
  LogListQuery,
  LogPage,
  LoggedGateway,
  StoredLog,
  StoredPayload,
} from './log-query.ts';
import type { LogRecord } from './record.ts';

/**
 * The store of the logs: a SQLite file or PostgreSQL. Separate threads use it, so that it never blocks a request. A query
 * rejects with 503 while the store is unavailable. A failed batch rejects with a {@link LogStoreError}.
 */
export interface LogStore {
  /** Opens the store and migrates its schema, or rejects with the reason. */
  open(): Promise<void>;
  /** Rejects while the store is unavailable. */
  ping(): Promise<void>;
  /**
   * Writes a batch completely or not at all. The rows are on disk when it resolves. A batch whose result was lost counts
   * once if the same array is written again.
   * @returns the number of rows that were discarded because of the limits of their gateways
   */
  insert(records: readonly LogRecord[]): Promise<{ leftOut: number }>;
  list(query: LogListQuery): Promise<LogPage>;
  /** Returns one log. */
  find(key: LogKey): Promise<StoredLog | undefined>;
  /** @param headBytes limits each body to its beginning */
  readPayload(key: LogKey, headBytes?: number): Promise<StoredPayload | undefined>;
  extremes(gateway: LoggedGateway): Promise<LogExtremes>;
  /** @returns the changed log; undefined: there is none */
  annotate(key: LogKey, annotation: LogAnnotation): Promise<StoredLog | undefined>;
  /**
   * Deletes the first rows of a list in small transactions.
   * @returns the number of deleted rows
   */
  deleteMatching(query: LogListQuery): Promise<number>;
  /** @returns undefined if the query covers too many rows */
  analyze(query: AnalyticsQuery): Promise<Analytics | undefined>;
  /** Deletes some logs of a deleted account. Returns true if there may be more. */
  purgeAccount(accountId: string): Promise<boolean>;
  /** Deletes some logs of a gateway before a time. Returns true if there may be more. */
  purgeGateway(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  /** Deletes some logs of any gateway before a time. Returns true if there may be more. */
  purgeOlder(beforeMs: number): Promise<boolean>;
  /** Deletes some of the oldest rows beyond a limit. Returns true if there may be more. */
  trim(accountId: string, gatewayId: string, maxRows: number): Promise<boolean>;
  /** Creates the partitions of the next days. */
  prepare(nowMs: number): Promise<void>;
  /** Deletes some expired sums. Returns true if there may be more. */
  pruneRollups(nowMs: number): Promise<boolean>;
  close(): Promise<void>;
}
