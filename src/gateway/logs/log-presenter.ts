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
  step: Type.Integer(),
  token_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The API token that was presented, or the OAuth client that acted for a person',
  }),
});

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
    cached: false,
    duration: row.duration_ms,
    ttft: row.ttft_ms,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    request_type: row.request_type,
    request_content_type: row.request_content_type,
    response_content_type: row.response_content_type,
    step: 0,
    token_id: row.token_id,
  };
}
