import type { LogContext, LogRow } from './record.ts';

/** The columns of contexts, in the order of sending, hashing and writing. */
export const CONTEXT_COLUMNS = [
  'provider',
  'model',
  'model_type',
  'path',
  'request_type',
  'request_content_type',
  'response_content_type',
  'token_id',
  'user_id',
  'oauth_client_id',
  'status_code',
  'success',
  'cached',
  'step',
  'attempts',
  'custom_cost',
  'usage_source',
] as const satisfies readonly (keyof LogContext)[];

/** The columns of rows besides the id, in the order of sending and writing. */
export const OWN_COLUMNS = [
  'duration_ms',
  'ttft_ms',
  'tokens_in',
  'tokens_out',
  'cache_tokens',
  'cost_nano_usd',
  'metadata',
  'event_id',
] as const satisfies readonly (keyof LogRow)[];
