import { GATEWAY_ID_PATTERN } from '../../iam/gateway-operations.ts';
import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import {
  MAX_ATTEMPTS,
  MAX_CACHE_TTL_SECONDS,
  MAX_LOG_ROWS,
  MAX_REQUESTS_PER_WINDOW,
  MAX_RETRY_DELAY_MS,
  MAX_WINDOW_SECONDS,
} from '../../lib/gateway-bounds.ts';
import { UNSUPPORTED_SETTINGS } from './unsupported-settings.ts';
import { ModelAliasesSchema } from './model-aliases.ts';
import { OtelInputSchema, OtelSchema } from './otel-settings.ts';
import { SpendLimitsInputSchema, SpendLimitsSchema } from './spend-limits.ts';

/** The schema of an amount; 0 and null: disabled. */
export const Amount = (maximum: number, description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum, description });

const Choice = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ enum: [...values, null], description });

/**
 * The members of the public API. A feature that this version lacks is accepted only while it is disabled, so that users do
 * not rely on it.
 */
const settings = {
  cache_invalidate_on_update: Type.Boolean({
    description: 'Each update of the gateway clears its cache',
  }),
  cache_ttl: Amount(MAX_CACHE_TTL_SECONDS, 'Lifetime of cached responses in seconds'),
  collect_logs: Type.Boolean({ description: 'Log each request' }),
  rate_limiting_interval: Amount(MAX_WINDOW_SECONDS, 'Rate limit window, seconds'),
  rate_limiting_limit: Amount(MAX_REQUESTS_PER_WINDOW, 'Requests per window'),
  rate_limiting_technique: Type.Optional(
    Choice(
      ['fixed', 'sliding'],
      '`fixed`: windows start at multiples of their length; `sliding`: the window ends now; default: fixed',
    ),
  ),
  retry_max_attempts: Type.Optional(
    Amount(MAX_ATTEMPTS, 'Maximum number of calls to a provider that fails, including the first'),
  ),
  retry_delay: Type.Optional(Amount(MAX_RETRY_DELAY_MS, 'Delay between two calls in milliseconds')),
  retry_backoff: Type.Optional(
    Choice(['constant', 'linear', 'exponential'], 'Growth of the delay; default: constant'),
  ),
  spend_limits: Type.Optional(Type.Union([SpendLimitsInputSchema, Type.Null()])),
  log_management: Type.Optional(Amount(MAX_LOG_ROWS, 'Maximum number of log rows')),
  log_management_strategy: Type.Optional(
    Choice(
      ['STOP_INSERTING', 'DELETE_OLDEST'],
      'At the maximum, stop writing rows or delete the oldest ones; default: DELETE_OLDEST',
    ),
  ),
  zdr: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Zero data retention: log rows never contain bodies, and requests cannot change this',
    }),
  ),
  byok_only: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Reject requests without a provider key of the client or of the gateway (2042). The operator's keys are not used",
    }),
  ),
  trust_custom_cost: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'The price in `cf-aig-custom-cost` of an authenticated request overrides the known price of the model. Spend limits count at least the known price',
    }),
  ),
  otel: Type.Optional(OtelInputSchema),
  model_aliases: Type.Optional(Type.Union([ModelAliasesSchema, Type.Null()])),
  authentication: Type.Optional(
    Type.Boolean({ default: true, description: 'Require the permission AI Gateway Run' }),
  ),
  allow_stored_keys_unauthenticated: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Use the stored provider keys for unauthenticated requests',
    }),
  ),
  is_default: Type.Optional(
    Type.Boolean({ description: 'True only for the id `default`; another value is rejected' }),
  ),
  ...UNSUPPORTED_SETTINGS,
};

export const CreateGatewaySchema = Type.Object(
  { id: Type.String({ maxLength: 64, pattern: GATEWAY_ID_PATTERN }), ...settings },
  { additionalProperties: false },
);

export const UpdateGatewaySchema = Type.Object(settings, { additionalProperties: false });

export type GatewayInput = Static<typeof UpdateGatewaySchema>;

const AmountShown = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const GatewaySchema = Type.Object({
  id: Type.String(),
  authentication: Type.Boolean(),
  allow_stored_keys_unauthenticated: Type.Boolean(),
  collect_logs: Type.Boolean(),
  cache_ttl: AmountShown,
  cache_invalidate_on_update: Type.Boolean(),
  rate_limiting_interval: AmountShown,
  rate_limiting_limit: AmountShown,
  rate_limiting_technique: Type.Unsafe<'fixed' | 'sliding' | null>({ type: ['string', 'null'] }),
  retry_max_attempts: AmountShown,
  retry_delay: AmountShown,
  retry_backoff: Type.Unsafe<'constant' | 'linear' | 'exponential' | null>({
    type: ['string', 'null'],
  }),
  spend_limits: Type.Union([SpendLimitsSchema, Type.Null()]),
  log_management: AmountShown,
  log_management_strategy: Type.Unsafe<'STOP_INSERTING' | 'DELETE_OLDEST' | null>({
    type: ['string', 'null'],
  }),
  zdr: Type.Boolean(),
  trust_custom_cost: Type.Boolean(),
  byok_only: Type.Boolean(),
  otel: OtelSchema,
  model_aliases: Type.Union([ModelAliasesSchema, Type.Null()]),
  logpush: Type.Boolean(),
  workers_ai_billing_mode: Type.String(),
  is_default: Type.Boolean(),
  created_at: Type.String(),
  modified_at: Type.String(),
});

/** A gateway for GET, PUT and DELETE. */
export const GATEWAY_RECORD = describeRecord(GatewaySchema, UpdateGatewaySchema, [
  'created_at',
  'modified_at',
]);
