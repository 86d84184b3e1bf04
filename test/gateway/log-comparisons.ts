import type { Json } from '../support/server.ts';
import type { WrittenLog } from './log-api.ts';

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** Rows that differ in all that they are compared by. */
export const ROWS: WrittenLog[] = Array.from({ length: 30 }, (_, index) => ({
  provider: pick(['openai', 'anthropic'], index),
  model: pick(['gpt-4o', 'claude', 'GPT-5'], index),
  model_type: pick(['text-generation', null], Math.floor(index / 2)),
  path: pick(['chat/completions', 'messages'], index),
  request_content_type: pick(['application/json', null], Math.floor(index / 3)),
  response_content_type: pick(['text/event-stream', null], Math.floor(index / 4)),
  token_id: pick(['t1', 't2', null], Math.floor(index / 5)),
  user_id: pick([null, 'u1'], Math.floor(index / 6)),
  oauth_client_id: pick([null, 'c1'], Math.floor(index / 7)),
  request_type: pick(['rest', 'universal'], Math.floor(index / 2)),
  status_code: pick([200, 200, 500], index),
  success: pick([1, 1, 0], index),
  cached: pick([0, 1], Math.floor(index / 8)),
  step: pick([0, 1], Math.floor(index / 9)),
  duration_ms: index * 10,
  ttft_ms: index % 3 === 0 ? null : index,
  tokens_in: index % 4 === 0 ? null : index,
  tokens_out: index % 5 === 0 ? null : index * 2,
  cache_tokens: index % 6 === 0 ? index : null,
  cost_nano_usd: index % 7 === 0 ? null : index * 100_000,
  event_id: index % 10 === 0 ? `event-${index}` : null,
  metadata:
    index % 2 === 0 ? JSON.stringify({ team: pick(['a', 'b'], index / 2), n: index }) : null,
}));

/** Both together, as the API shows a row. */
export const tokensOf = (row: Json): number | null =>
  row.tokens_in === null && row.tokens_out === null ? null : row.tokens_in + row.tokens_out;

export type Value = string | number | boolean | null;

/** Each key with each of its operators: what is met, of the row as the API shows it. */
export const COMPARISONS: [
  key: string,
  value: Value,
  of: (row: Json) => Value,
  ...operators: string[],
][] = [
  ...[
    ...([
      'provider',
      'model',
      'model_type',
      'path',
      'request_type',
      'request_content_type',
    ] as const),
    ...(['response_content_type', 'token_id', 'user_id', 'oauth_client_id', 'event_id'] as const),
  ].map((key): [string, Value, (row: Json) => Value, ...string[]] => [
    key,
    String(ROWS.map((row) => row[key]).find((value) => value !== null)),
    (row: Json): Value => row[key],
    'eq',
    'neq',
    'contains',
    'lt',
    'gt',
  ]),
  ...(['success', 'cached'] as const).map(
    (key): [string, Value, (row: Json) => Value, ...string[]] => [
      key,
      true,
      (row: Json): Value => row[key],
      'eq',
      'neq',
    ],
  ),
  ...(
    [
      ['status_code', 200],
      ['step', 1],
      ['duration', 70],
      ['ttft', 7],
      ['tokens_in', 9],
      ['tokens_out', 12],
      ['cache_tokens', 12],
      ['cost', 0.0012],
    ] as const
  ).map(([key, value]): [string, Value, (row: Json) => Value, ...string[]] => [
    key,
    value,
    (row: Json): Value => row[key],
    'eq',
    'neq',
    'lt',
    'gt',
  ]),
  ['tokens', 21, tokensOf, 'eq', 'neq', 'lt', 'gt'],
];

/** What the operators mean. */
export function isMet(value: Value, operator: string, wanted: Value): boolean {
  if (operator === 'eq') return value === wanted;
  if (operator === 'neq') return value !== wanted;
  if (value === null || wanted === null) return false;
  if (operator === 'contains') return String(value).includes(String(wanted));
  return operator === 'lt' ? value < wanted : value > wanted;
}
