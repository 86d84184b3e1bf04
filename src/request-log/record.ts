import type { LogLimit } from '../gateway-admin/snapshot.ts';
import type { GatewayLogContextsTable, LogScopeColumns } from '../storage/log-tables.ts';

/** The values that many rows of a gateway share. */
export type LogContext = Omit<
  GatewayLogContextsTable,
  keyof LogScopeColumns | 'context_id' | 'log_count'
>;

/** One log row to write. */
export interface LogRow extends LogContext {
  account_id: string;
  gateway_id: string;
  /** Creation of the gateway, which separates the sums of earlier gateways with the same id. Not stored. */
  gateway_created_at: number;
  /** UUIDv7 of `created_at`. */
  id: string;
  /** Arrival of the request, in milliseconds since the Unix epoch. */
  created_at: number;
  duration_ms: number;
  /** Time to the first byte of the response. */
  ttft_ms: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cache_tokens: number | null;
  /** Billionths of a US dollar. */
  cost_nano_usd: number | null;
  /** JSON: a flat object. */
  metadata: string | null;
  event_id: string | null;
}

/** The captured bodies and headers. The writer redacts credentials in them. */
export interface LogPayload {
  request: Uint8Array;
  response: readonly Uint8Array[];
  /** Sizes of the whole bodies. */
  requestSize: number;
  responseSize: number;
  /** JSON objects of the loggable headers. */
  requestHeaders: string;
  responseHeaders: string;
}

/** The log record of one step. */
export interface LogRecord {
  row: LogRow;
  /** Null: the row has no bodies. */
  payload: LogPayload | null;
  /** Null: no limit. */
  limit: LogLimit | null;
}
