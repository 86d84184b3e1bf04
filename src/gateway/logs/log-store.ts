import type { Analytics, AnalyticsQuery } from '../analytics/analytics-query.ts';
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
import type { LogRecord } from './log-row.ts';

/**
 * Where the gateway's logs are kept: a SQLite file or PostgreSQL. Threads of their own work on both, so
 * that nothing of it holds up a request. What cannot be done for the moment is rejected as a refusal
 * with 503; how writing a batch failed, a {@link LogStoreError} says.
 */
export interface LogStore {
  /** Opens the store and brings its schema up to date, or says why it cannot be used. */
  open(): Promise<void>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  /**
   * Writes a batch, all or nothing. When it resolves, the rows are on disk. A batch whose answer got
   * lost counts only once when the same array is given again.
   * @returns how many rows were left out since their gateways keep no more
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
   * Deletes the first rows of a list, in small transactions.
   * @returns how many
   */
  deleteMatching(query: LogListQuery): Promise<number>;
  /** @returns undefined when it is too much to sum up */
  analyze(query: AnalyticsQuery): Promise<Analytics | undefined>;
  /** Deletes some logs of an account that is gone; answers whether there may be more. */
  purgeAccount(accountId: string): Promise<boolean>;
  /** Deletes some logs of a gateway from before a moment; answers whether there may be more. */
  purgeGateway(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  /** Deletes some logs of any gateway from before a moment; answers whether there may be more. */
  purgeOlder(beforeMs: number): Promise<boolean>;
  /** Deletes some of the oldest rows beyond so many; answers whether there may be more. */
  trim(accountId: string, gatewayId: string, maxRows: number): Promise<boolean>;
  /** Makes room for what will be logged in the next days. */
  prepare(nowMs: number): Promise<void>;
  /** Deletes some sums that are too old; answers whether there may be more. */
  pruneRollups(nowMs: number): Promise<boolean>;
  close(): Promise<void>;
}
