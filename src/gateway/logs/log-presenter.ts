import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { StoredLog } from './log-store.ts';

const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const LogSchema = Type.Object({
  id: Type.String(),
  created_at: Type.String(),
  provider: Type.String(),
  model: Type.String(),
  path: Type.String(),
  success: Type.Boolean(),
  status_code: Type.Integer(),
  cached: Type.Boolean(),
  duration: Type.Integer({ description: 'Milliseconds from the request to the end of the answer' }),
  ttft: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Milliseconds to the first byte of the answer',
  }),
  tokens_in: NullableInteger,
  tokens_out: NullableInteger,
  request_type: Type.String(),
  request_content_type: NullableString,
  response_content_type: NullableString,
  step: Type.Integer({ description: 'Which provider of a universal request it was, from 0' }),
  attempts: Type.Integer({ description: 'How often that provider was called' }),
  cache_tokens: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Input tokens that the provider had cached',
  }),
  cost: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'US dollars; null: nobody knows the price',
  }),
  custom_cost: Type.Boolean({ description: 'The request named the price itself' }),
  metadata: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Of `cf-aig-metadata`: a JSON object as a text',
  }),
  event_id: NullableString,
  user_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The person on whose behalf was called',
  }),
  oauth_client_id: NullableString,
  token_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The API token that was presented, or the OAuth client that acted for a person',
  }),
});

const NANO_USD_PER_USD = 1e9;

/** A log row as the API shows it. */
export function presentLog(row: StoredLog): Static<typeof LogSchema> {
  return {
    id: row.id,
    created_at: formatTime(row.created_at),
    provider: row.provider,
    model: row.model,
    path: row.path,
    success: row.success === 1,
    status_code: row.status_code,
    cached: row.cached === 1,
    duration: row.duration_ms,
    ttft: row.ttft_ms,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    request_type: row.request_type,
    request_content_type: row.request_content_type,
    response_content_type: row.response_content_type,
    step: row.step,
    attempts: row.attempts,
    cache_tokens: row.cache_tokens,
    cost: row.cost_nano_usd === null ? null : row.cost_nano_usd / NANO_USD_PER_USD,
    custom_cost: row.custom_cost === 1,
    metadata: row.metadata,
    event_id: row.event_id,
    user_id: row.user_id,
    oauth_client_id: row.oauth_client_id,
    token_id: row.token_id,
  };
}
