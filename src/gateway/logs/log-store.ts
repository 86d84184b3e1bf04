import type { Insertable, Selectable } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { GatewayLogsTable } from '../../storage/gateway-tables.ts';

/** One exchange of the gateway, ready to be written. */
export type LogRow = Insertable<GatewayLogsTable>;

/** One exchange as it was stored. */
export type StoredLog = Selectable<GatewayLogsTable>;

export interface LogQuery {
  accountId: string;
  gatewayId: string;
  /** Older rows are those of an earlier gateway of that id. */
  sinceMs: number;
  /** Equality filters; undefined ones select nothing away. */
  model: string | undefined;
  provider: string | undefined;
  success: boolean | undefined;
  /** By time. */
  direction: 'asc' | 'desc';
}

export interface LogPage {
  rows: StoredLog[];
  totalCount: number;
}

/**
 * Where the gateway's logs are kept. Two real implementations: a SQLite file behind a worker thread,
 * and PostgreSQL.
 */
export interface LogStore {
  /** Opens the store and brings its schema up to date, or says why it cannot be used. */
  open(): Promise<void>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  /** Writes a batch, all or nothing. When it resolves, the rows are on disk. */
  insert(rows: readonly LogRow[]): Promise<void>;
  list(query: LogQuery, page: PageRequest): Promise<LogPage>;
  /** Deletes some logs of an account that is gone; answers whether there may be more. */
  purgeAccount(accountId: string): Promise<boolean>;
  /** Deletes some logs of a gateway from before a moment; answers whether there may be more. */
  purgeGateway(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  close(): Promise<void>;
}
