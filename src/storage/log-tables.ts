import type { Generated } from 'kysely';
import type { Flag, TimeMs } from './column-types.ts';

/**
 * What names a gateway in every table of its logs: on the embedded database a number, which is short,
 * on PostgreSQL its account and its id, by which the tables can be distributed. A kind of database has
 * only its own of these columns.
 */
export interface LogScopeColumns {
  gateway_key: Generated<number>;
  account_id: Generated<string>;
  gateway_id: Generated<string>;
}

/** UUIDv7 of the moment the request came in: 16 bytes on the embedded database, else a `uuid`. */
export type LogIdColumn = Uint8Array | string;

/** What is known of all logs of a gateway together. */
export interface GatewayLogGatewaysTable {
  gateway_key: Generated<number>;
  account_id: string;
  gateway_id: string;
  /** Rows that are there. */
  log_count: number;
}

/** What many rows have in common, once. */
export interface GatewayLogContextsTable extends LogScopeColumns {
  /** 53 bits of the SHA-256 of the other columns: nodes agree on it without asking each other. */
  context_id: number;
  provider: string;
  model: string;
  /** What kind of model it is, by the operation: `text-generation`, `embeddings`. */
  model_type: string | null;
  path: string;
  /** The way in. */
  request_type: string;
  request_content_type: string | null;
  response_content_type: string | null;
  /** The API token, or the OAuth client, as the audit log has it. */
  token_id: string | null;
  user_id: string | null;
  oauth_client_id: string | null;
  status_code: number;
  success: Flag;
  /** Answered from our cache. */
  cached: Flag;
  /** Which of the providers of a universal request answered, from 0. */
  step: number;
  /** How often that provider was called. */
  attempts: number;
  /** The request named the price itself. */
  custom_cost: Flag;
  /** `provider`, `estimate` or `answer_model`; null: there is no usage, or it is of an earlier version. */
  usage_source: string | null;
  /** Rows of it that are there. */
  log_count: number;
}

/** One exchange of the gateway: what it does not share with others. */
export interface GatewayLogEntriesTable extends LogScopeColumns {
  id: LogIdColumn;
  context_id: number;
  duration_ms: number;
  /** Time to the first byte of the answer. */
  ttft_ms: number | null;
  /** With those that the provider had cached. */
  tokens_in: number | null;
  tokens_out: number | null;
  /** Input tokens that the provider had cached. */
  cache_tokens: number | null;
  /** Billionths of a US dollar; null: nobody knows the price. */
  cost_nano_usd: number | null;
  /** JSON: a flat object. */
  metadata: string | null;
  event_id: string | null;
  /** -1, 0 or 1, as somebody judged the answer afterwards. */
  feedback: number | null;
  score: number | null;
  /** Bytes of the bodies as they went by; null: not kept. */
  request_size: number | null;
  response_size: number | null;
}

/** The bodies of an exchange, apart from its row so that lists need not read over them. */
export interface GatewayLogBodiesTable extends LogScopeColumns {
  id: LogIdColumn;
  request: Uint8Array;
  response: Uint8Array;
  /** All of it is there. */
  request_is_whole: Flag;
  response_is_whole: Flag;
  /** JSON: an object of the header fields that may be kept. */
  request_headers: string;
  response_headers: string;
}

/** The entries of rows' metadata, to find rows by. Both are cut to their first 200 characters. */
export interface GatewayLogMetadataTable extends LogScopeColumns {
  key: string;
  /** A text as it is, anything else as JSON. */
  value: string;
  id: LogIdColumn;
}

/** Sums over the rows of a stretch of time that have a value in common. */
export interface GatewayLogRollupsTable extends LogScopeColumns {
  /** 60, 3600 or 86400. */
  step_seconds: number;
  /** `all`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, or `metadata.<key>`. */
  dimension: string;
  /** Begin of the stretch, a multiple of its length. */
  start_at: TimeMs;
  /** `=` and the value; `` : rows that have none; `*`: values beyond those that are kept apart. */
  value: string;
  /** Who keeps this row: only that writer changes it, and readers add up what all have written. */
  writer_id: string;
  requests: number;
  /** Of these, without success. */
  errors: number;
  cached: number;
  /** Of these, with tokens whose price nobody knows. */
  unpriced: number;
  /** The number of these whose tokens the gateway estimated. */
  estimated: Generated<number>;
  tokens_in: number;
  tokens_out: number;
  cache_tokens: number;
  cost_nano_usd: number;
  /** JSON: histograms, see src/request-log/analytics/histogram.ts. */
  durations: string;
  ttfts: string;
  /** JSON: the least and the greatest of some columns; only of the dimension `all`. */
  extremes: string | null;
}
