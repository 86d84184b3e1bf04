import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { formatTime } from '../../lib/clock.ts';
import type { StoredLog, StoredPayload } from '../log-query.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import { MAX_METADATA_ENTRIES } from '../../lib/gateway-bounds.ts';

const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const fields = {
  id: Type.String(),
  created_at: Type.String(),
  provider: Type.String(),
  model: Type.String(),
  path: Type.String(),
  success: Type.Boolean(),
  status_code: Type.Integer(),
  cached: Type.Boolean(),
  duration: Type.Integer({
    description: 'Milliseconds from the request to the end of the response',
  }),
  ttft: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Milliseconds to the first byte of the response',
  }),
  tokens_in: NullableInteger,
  tokens_out: NullableInteger,
  request_type: Type.String(),
  request_content_type: Type.Optional(Type.String()),
  response_content_type: Type.Optional(Type.String()),
  step: Type.Integer({ description: 'Index of the provider in a universal request, from 0' }),
  attempts: Type.Integer({ description: 'Number of calls to that provider' }),
  cache_tokens: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Input tokens read from the cache of the provider',
  }),
  cost: Type.Optional(Type.Number({ description: 'US dollars; absent: the price is unknown' })),
  custom_cost: Type.Boolean({ description: 'The price comes from `cf-aig-custom-cost`' }),
  usage_source: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      '`provider`: the provider counted the tokens; `estimate`: the gateway estimated them, for example because the response was incomplete; `answer_model`: the provider counted them, and the price is that of the model in the response; null: no tokens',
  }),
  metadata: Type.Optional(
    Type.String({ description: 'The metadata of `cf-aig-metadata` as JSON text' }),
  ),
  event_id: NullableString,
  user_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The user on whose behalf the call was made',
  }),
  oauth_client_id: NullableString,
  token_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The API token, or the OAuth client that acted for a user',
  }),
  model_type: Type.Optional(
    Type.String({
      description: '`text-generation` or `embeddings`, if the operation determines it',
    }),
  ),
  feedback: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Feedback on the response: -1, 0 or 1',
  }),
  score: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
};

export const LogSchema = Type.Object(fields);

const Headers = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The header fields that may be logged',
});

const Head = Type.Optional(
  Type.String({ description: 'The beginning of the body as text; absent: not logged' }),
);

const IsComplete = Type.Optional(Type.Boolean());

const Size = Type.Optional(
  Type.Integer({ description: 'Size of the original body in bytes; absent: not logged' }),
);

/** A log with the beginnings of its bodies. */
export const LogDetailsSchema = Type.Object({
  ...fields,
  request_head: Head,
  request_head_complete: IsComplete,
  request_size: Size,
  request_headers: Headers,
  response_head: Head,
  response_head_complete: IsComplete,
  response_size: Size,
  response_headers: Headers,
});

const MAX_SCORE = 1_000_000;

export const UpdateLogSchema = Type.Object(
  {
    feedback: Type.Optional(
      Type.Unsafe<-1 | 0 | 1 | null>({
        enum: [-1, 0, 1, null],
        description: 'Feedback on the response; null: none',
      }),
    ),
    score: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        minimum: -MAX_SCORE,
        maximum: MAX_SCORE,
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | null> | null>({
        type: ['object', 'null'],
        maxProperties: MAX_METADATA_ENTRIES,
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Replaces the metadata of the request',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A log for GET and PATCH. The bodies are not in the response of PATCH. */
export const LOG_RECORD = describeRecord(LogDetailsSchema, UpdateLogSchema, [
  'created_at',
  'request_head',
  'request_head_complete',
  'request_size',
  'request_headers',
  'response_head',
  'response_head_complete',
  'response_size',
  'response_headers',
]);

/**
 * Returns an object with one member, or without it if it has no value. The types of the `cloudflare` client declare some
 * members as optional and without null.
 */
function optional<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [Member in Name]?: Value } {
  if (value === null || value === undefined) return {};
  return { [name]: value } as { [Member in Name]?: Value };
}

/** Presents a log row. */
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
    ...optional('request_content_type', row.request_content_type),
    ...optional('response_content_type', row.response_content_type),
    step: row.step,
    attempts: row.attempts,
    cache_tokens: row.cache_tokens,
    ...optional('cost', row.cost_nano_usd && row.cost_nano_usd / NANO_USD_PER_USD),
    custom_cost: row.custom_cost === 1,
    usage_source: row.usage_source,
    ...optional('metadata', row.metadata),
    event_id: row.event_id,
    user_id: row.user_id,
    oauth_client_id: row.oauth_client_id,
    token_id: row.token_id,
    ...optional('model_type', row.model_type),
    feedback: row.feedback,
    score: row.score,
  };
}

/**
 * Presents a single log.
 * @param payload the beginnings of its bodies; undefined: not stored
 */
export function presentLogDetails(
  row: StoredLog,
  payload: StoredPayload | undefined,
): Static<typeof LogDetailsSchema> {
  const { request, response } = payload ?? {};
  return {
    ...presentLog(row),
    ...optional('request_head', request && textOf(request.body)),
    ...optional('request_head_complete', request?.isWhole),
    ...optional('request_size', row.request_size),
    request_headers: payload === undefined ? null : headersOf(payload.requestHeaders),
    ...optional('response_head', response && textOf(response.body)),
    ...optional('response_head_complete', response?.isWhole),
    ...optional('response_size', row.response_size),
    response_headers: payload === undefined ? null : headersOf(payload.responseHeaders),
  };
}

/** Decodes a body without a truncated character at its end. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

function headersOf(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}
