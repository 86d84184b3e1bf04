import type { Generated } from 'kysely';
import type { Flag, TimeMs } from './column-types.ts';

/**
 * The key of a gateway in the tables of its logs: a short number in the embedded database; in PostgreSQL its account and its
 * id, by which the tables can be distributed. Each kind of database has only its own columns.
 */
export interface LogScopeColumns {
  gateway_key: Generated<number>;
  account_id: Generated<string>;
  gateway_id: Generated<string>;
}

/** UUIDv7 of the arrival of the request: 16 bytes in the embedded database, a `uuid` in PostgreSQL. */
export type LogIdColumn = Uint8Array | string;

/** The gateways that have logs. */
export interface GatewayLogGatewaysTable {
  gateway_key: Generated<number>;
  account_id: string;
  gateway_id: string;
  /** Number of stored rows. */
  log_count: number;
}

/** The values that many rows share. */
export interface GatewayLogContextsTable extends LogScopeColumns {
  /** 53 bits of the SHA-256 of the other columns, so that all nodes calculate the same id. */
  context_id: number;
  provider: string;
  model: string;
  /** The type of the model, by the operation: `text-generation`, `embeddings`. */
  model_type: string | null;
  path: string;
  /** The endpoint: `rest`, `compat`, `run`, `native` or `universal`. */
  request_type: string;
  request_content_type: string | null;
  response_content_type: string | null;
  /** The API token, or the OAuth client, as in the audit log. */
  token_id: string | null;
  user_id: string | null;
  oauth_client_id: string | null;
  status_code: number;
  success: Flag;
  /** The response came from the cache of the gateway. */
  cached: Flag;
  /** Index of the step in its request. */
  step: number;
  /** Number of calls to the provider. */
  attempts: number;
  /** The request contained its own price. */
  custom_cost: Flag;
  /** `provider`, `estimate` or `answer_model`; null: no usage, or a row of an earlier version. */
  usage_source: string | null;
  /** Number of stored rows of the context. */
  log_count: number;
}

/** The rows of steps, without the values of their contexts. */
export interface GatewayLogEntriesTable extends LogScopeColumns {
  id: LogIdColumn;
  context_id: number;
  duration_ms: number;
  /** Time to the first byte of the response. */
  ttft_ms: number | null;
  /** Includes cached input tokens. */
  tokens_in: number | null;
  tokens_out: number | null;
  /** Input tokens from the cache of the provider. */
  cache_tokens: number | null;
  /** Billionths of a US dollar; null: unknown price. */
  cost_nano_usd: number | null;
  /** JSON: a flat object. */
  metadata: string | null;
  event_id: string | null;
  /** -1, 0 or 1: the rating of the response by a user. */
  feedback: number | null;
  score: number | null;
  /** Sizes of the whole bodies in bytes; null: the row has no bodies. */
  request_size: number | null;
  response_size: number | null;
}

/** The bodies of rows, in a separate table so that lists do not read them. */
export interface GatewayLogBodiesTable extends LogScopeColumns {
  id: LogIdColumn;
  request: Uint8Array;
  response: Uint8Array;
  /** The body is complete. */
  request_is_whole: Flag;
  response_is_whole: Flag;
  /** JSON: an object of the loggable header fields. */
  request_headers: string;
  response_headers: string;
}

/** The index of metadata. Keys and values are truncated to 200 characters. */
export interface GatewayLogMetadataTable extends LogScopeColumns {
  key: string;
  /** A text unchanged, any other value as JSON. */
  value: string;
  id: LogIdColumn;
}

/** Sums of the rows of an interval that share a value. */
export interface GatewayLogRollupsTable extends LogScopeColumns {
  /** 60, 3600 or 86400. */
  step_seconds: number;
  /** `all`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, or `metadata.<key>`. */
  dimension: string;
  /** Start of the interval, a multiple of its length. */
  start_at: TimeMs;
  /** `=` and the value; empty: rows without a value; `*`: values beyond the limit of separate ones. */
  value: string;
  /** The only process that changes this row. Readers add up the rows of all processes. */
  writer_id: string;
  requests: number;
  /** Number of failed requests. */
  errors: number;
  cached: number;
  /** Number of requests with tokens and an unknown price. */
  unpriced: number;
  /** Number of requests whose tokens the gateway estimated. */
  estimated: Generated<number>;
  tokens_in: number;
  tokens_out: number;
  cache_tokens: number;
  cost_nano_usd: number;
  /** JSON: histograms, see src/request-log/analytics/histogram.ts. */
  durations: string;
  ttfts: string;
  /** JSON: the least and greatest values of some columns; only in the dimension `all`. */
  extremes: string | null;
}
