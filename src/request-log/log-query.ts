import type { LogRow } from './record.ts';

/** Columns of contexts for filters. */
export type ContextField =
  | 'provider'
  | 'model'
  | 'model_type'
  | 'path'
  | 'request_type'
  | 'request_content_type'
  | 'response_content_type'
  | 'token_id'
  | 'user_id'
  | 'oauth_client_id'
  | 'status_code'
  | 'success'
  | 'cached'
  | 'step'
  | 'usage_source';

/** Columns of rows for filters. */
export type RowField =
  | 'duration_ms'
  | 'ttft_ms'
  | 'tokens_in'
  | 'tokens_out'
  /** Input and output together. */
  | 'tokens'
  | 'cache_tokens'
  | 'cost_nano_usd'
  | 'feedback'
  | 'score'
  | 'event_id';

export type Operator = 'eq' | 'neq' | 'contains' | 'lt' | 'gt';

/**
 * One condition on a column. `eq`, `contains`, `lt` and `gt` match any of several values, `neq` matches none of them. Null
 * is an unknown value, which equals no other value and is not less than one.
 */
export type LogFilter =
  | { on: 'context'; field: ContextField; operator: Operator; values: FilterValue[] }
  | { on: 'row'; field: RowField; operator: Operator; values: FilterValue[] }
  | { on: 'id'; operator: Operator; values: string[] }
  /** Milliseconds since the Unix epoch. */
  | { on: 'created_at'; operator: 'eq' | 'neq' | 'lt' | 'gt'; values: number[] }
  | { on: 'metadata.key' | 'metadata.value'; operator: Operator; values: FilterValue[] };

export type FilterValue = string | number | null;

/** The order of a list. Equal rows are in the order of time, in the same direction. */
export type LogOrder =
  | 'created_at'
  | 'provider'
  | 'model'
  | 'model_type'
  | 'success'
  | 'cached'
  | 'cost_nano_usd'
  | 'tokens_in'
  | 'tokens_out'
  | 'duration_ms'
  | 'feedback';

/** One visible log of a gateway. */
export interface LogKey {
  accountId: string;
  gatewayId: string;
  /** A UUID. */
  id: string;
  /** Older logs are not visible. */
  sinceMs: number;
}

/** A gateway, and not an earlier one with the same id. */
export interface LoggedGateway {
  accountId: string;
  gatewayId: string;
  createdAtMs: number;
}

/** Selects rows of a gateway. */
export interface LogSelection {
  accountId: string;
  gatewayId: string;
  /** Older rows belong to an earlier gateway with the same id, or are past the retention. */
  sinceMs: number;
  /** All filters must match. */
  filters: readonly LogFilter[];
  /** Search text: part of the metadata, the model, the provider or the path; case-insensitive; undefined: any. */
  search: string | undefined;
}

export interface LogListQuery extends LogSelection {
  orderBy: LogOrder;
  direction: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** A stored log row. */
export interface StoredLog extends Omit<LogRow, 'gateway_created_at'> {
  feedback: number | null;
  score: number | null;
  request_size: number | null;
  response_size: number | null;
}

export interface LogPage {
  rows: StoredLog[];
  /** Number of selected rows. */
  totalCount: number;
  /** The number is an estimate, because an exact one would take too long. */
  isEstimated: boolean;
}

/** The least and the greatest values in the logs of a gateway; null: unknown. */
export interface LogExtremes {
  duration_ms: Extremes;
  tokens_in: Extremes;
  tokens_out: Extremes;
  tokens: Extremes;
  cost_nano_usd: Extremes;
}

export type Extremes = { min: number; max: number } | null;

/** A stored body. */
export interface StoredBody {
  body: Uint8Array;
  /** False: truncated. */
  isWhole: boolean;
  contentType: string | null;
}

/** The stored bodies and headers of a log row. */
export interface StoredPayload {
  request: StoredBody;
  response: StoredBody;
  /** JSON objects. */
  requestHeaders: string;
  responseHeaders: string;
}

/** A change of a log row by a user; undefined: unchanged. */
export interface LogAnnotation {
  feedback?: -1 | 0 | 1 | null;
  score?: number | null;
  /** JSON: a flat object. */
  metadata?: string | null;
}
