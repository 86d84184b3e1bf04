import type { ContextField, LogFilter, Operator, RowField } from '../log-query.ts';

/** The column and the values of a filter key. */
export type FilterKey =
  | { on: 'context'; field: ContextField; type: 'text' | 'boolean' | 'integer' }
  | { on: 'row'; field: RowField; type: 'text' | 'integer' | 'number' | 'usd' | 'feedback' }
  | { on: Exclude<LogFilter['on'], 'context' | 'row'>; type: 'id' | 'time' | 'key' | 'value' };

function context(field: ContextField, type: 'text' | 'boolean' | 'integer' = 'text'): FilterKey {
  return { on: 'context', field, type };
}

function row(field: RowField, type: 'text' | 'integer' | 'number' | 'usd' | 'feedback'): FilterKey {
  return { on: 'row', field, type };
}

/** All filter keys. */
export const FILTER_KEYS: ReadonlyMap<string, FilterKey> = new Map(
  Object.entries({
    id: { on: 'id', type: 'id' },
    created_at: { on: 'created_at', type: 'time' },
    provider: context('provider'),
    model: context('model'),
    model_type: context('model_type'),
    path: context('path'),
    request_type: context('request_type'),
    request_content_type: context('request_content_type'),
    response_content_type: context('response_content_type'),
    token_id: context('token_id'),
    user_id: context('user_id'),
    oauth_client_id: context('oauth_client_id'),
    success: context('success', 'boolean'),
    cached: context('cached', 'boolean'),
    status_code: context('status_code', 'integer'),
    step: context('step', 'integer'),
    usage_source: context('usage_source'),
    cost: row('cost_nano_usd', 'usd'),
    tokens: row('tokens', 'integer'),
    tokens_in: row('tokens_in', 'integer'),
    tokens_out: row('tokens_out', 'integer'),
    cache_tokens: row('cache_tokens', 'integer'),
    duration: row('duration_ms', 'integer'),
    ttft: row('ttft_ms', 'integer'),
    feedback: row('feedback', 'feedback'),
    score: row('score', 'number'),
    event_id: row('event_id', 'text'),
    'metadata.key': { on: 'metadata.key', type: 'key' },
    'metadata.value': { on: 'metadata.value', type: 'value' },
  } satisfies Record<string, FilterKey>),
);

/** Keys of the public API without data in these logs. */
export const LACKING_KEYS: ReadonlySet<string> = new Set([
  'authentication',
  'wholesale',
  'compatibilityMode',
  'dlp_action',
  'user_agent',
]);

export const OPERATORS: readonly Operator[] = ['eq', 'neq', 'contains', 'lt', 'gt'];

const COMPARING: readonly Operator[] = ['eq', 'neq', 'lt', 'gt'];
const EQUALITY: readonly Operator[] = ['eq', 'neq'];

const OPERATORS_OF: Readonly<Record<FilterKey['type'], readonly Operator[]>> = {
  text: OPERATORS,
  key: OPERATORS,
  value: OPERATORS,
  id: OPERATORS,
  integer: COMPARING,
  number: COMPARING,
  usd: COMPARING,
  feedback: COMPARING,
  time: COMPARING,
  boolean: EQUALITY,
};

/** Returns the operators of a key. */
export function operatorsOf({ type }: FilterKey): readonly Operator[] {
  return OPERATORS_OF[type];
}
