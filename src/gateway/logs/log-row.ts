import type { LogLimit } from '../../gateway-admin/snapshot.ts';
import type { GatewayLogContextsTable, LogScopeColumns } from '../../storage/log-tables.ts';

/** What many exchanges of a gateway have in common. */
export type LogContext = Omit<
  GatewayLogContextsTable,
  keyof LogScopeColumns | 'context_id' | 'log_count'
>;

/** One exchange of the gateway, ready to be written. */
export interface LogRow extends LogContext {
  account_id: string;
  gateway_id: string;
  /** When the gateway was made: what an earlier one of its id did is summed up apart. Not stored. */
  gateway_created_at: number;
  /** UUIDv7 of `created_at`. */
  id: string;
  /** When the request came in, milliseconds since the Unix epoch. */
  created_at: number;
  duration_ms: number;
  /** Time to the first byte of the answer. */
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

/** What went to and fro, as far as it is kept. Credentials in it are redacted when it is written. */
export interface LogPayload {
  request: Uint8Array;
  response: readonly Uint8Array[];
  /** Bytes as they went by, of which those above may be a part. */
  requestSize: number;
  responseSize: number;
  /** JSON: objects of the header fields that may be kept. */
  requestHeaders: string;
  responseHeaders: string;
}

/** What the request path hands over of one exchange. */
export interface LogRecord {
  row: LogRow;
  /** Null: the row is kept without bodies. */
  payload: LogPayload | null;
  /** Null: as many rows as there are. */
  limit: LogLimit | null;
}
