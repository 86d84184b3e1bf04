import type { LogRow } from './log-row.ts';

/** Columns of a context that rows can be chosen by. */
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

/** Columns of a row itself that rows can be chosen by. */
export type RowField =
  | 'duration_ms'
  | 'ttft_ms'
  | 'tokens_in'
  | 'tokens_out'
  /** Both together. */
  | 'tokens'
  | 'cache_tokens'
  | 'cost_nano_usd'
  | 'feedback'
  | 'score'
  | 'event_id';

export type Operator = 'eq' | 'neq' | 'contains' | 'lt' | 'gt';

/**
 * One condition, in the values of the columns. Of several values one is enough (eq, contains, lt, gt),
 * or none may be (neq). Null stands for what is not known, which no other value equals or is less than.
 */
export type LogFilter =
  | { on: 'context'; field: ContextField; operator: Operator; values: FilterValue[] }
  | { on: 'row'; field: RowField; operator: Operator; values: FilterValue[] }
  | { on: 'id'; operator: Operator; values: string[] }
  /** Milliseconds since the Unix epoch. */
  | { on: 'created_at'; operator: 'eq' | 'neq' | 'lt' | 'gt'; values: number[] }
  | { on: 'metadata.key' | 'metadata.value'; operator: Operator; values: FilterValue[] };

export type FilterValue = string | number | null;

/** What a list is sorted by; rows that are equal in it: the newest first, or last when ascending. */
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

/** Which rows of a gateway. */
export interface LogSelection {
  accountId: string;
  gatewayId: string;
  /** Older rows are those of an earlier gateway of that id, or too old to be shown. */
  sinceMs: number;
  /** All of them hold. */
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

/** One exchange as it was stored. */
export interface StoredLog extends Omit<LogRow, 'gateway_created_at'> {
  feedback: number | null;
  score: number | null;
  request_size: number | null;
  response_size: number | null;
}

export interface LogPage {
  rows: StoredLog[];
  /** How many rows the selection has. */
  totalCount: number;
  /** The count is an estimate: to know it, too many rows would have to be read. */
  isEstimated: boolean;
}

/** The least and the greatest of what the logs of a gateway hold; null: nothing is known. */
export interface LogExtremes {
  duration_ms: Extremes;
  tokens_in: Extremes;
  tokens_out: Extremes;
  tokens: Extremes;
  cost_nano_usd: Extremes;
}

export type Extremes = { min: number; max: number } | null;

/** A body as it was kept. */
export interface StoredBody {
  body: Uint8Array;
  /** False: its end was cut off. */
  isWhole: boolean;
  contentType: string | null;
}

/** Both bodies of an exchange, and the header fields that came with them. */
export interface StoredPayload {
  request: StoredBody;
  response: StoredBody;
  /** JSON objects. */
  requestHeaders: string;
  responseHeaders: string;
}

/** What somebody says of an exchange afterwards; undefined: as it was. */
export interface LogAnnotation {
  feedback?: -1 | 0 | 1 | null;
  score?: number | null;
  /** JSON: a flat object. */
  metadata?: string | null;
}
