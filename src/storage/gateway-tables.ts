import type { Generated } from 'kysely';
import type { Flag, TimeMs } from './column-types.ts';

export interface GatewaysTable {
  account_id: string;
  /** Chosen by the user, unique in the account. */
  id: string;
  authentication: Flag;
  allow_stored_keys_unauthenticated: Flag;
  collect_logs: Flag;
  cache_invalidate_on_update: Flag;
  /** Null or 0: answers are not cached unless the request says so. */
  cache_ttl_seconds: number | null;
  /** Grows when cached answers must not be used any more. */
  cache_generation: Generated<number>;
  /** Null or 0: no limit. */
  rate_limiting_interval_seconds: number | null;
  rate_limiting_limit: number | null;
  rate_limiting_technique: 'fixed' | 'sliding' | null;
  retry_max_attempts: number | null;
  retry_delay_ms: number | null;
  retry_backoff: 'constant' | 'linear' | 'exponential' | null;
  /** JSON: what is spent on the gateway is limited by; see src/gateway-admin/spend-rules.ts. */
  spend_limits: string | null;
  /** Most log rows; null: no limit. */
  log_management: number | null;
  log_management_strategy: 'STOP_INSERTING' | 'DELETE_OLDEST' | null;
  /** Zero data retention: log rows have no bodies. */
  zdr: Generated<Flag>;
  trust_custom_cost: Generated<Flag>;
  byok_only: Generated<Flag>;
  /** JSON: where spans go; see src/gateway-admin/gateways/otel-settings.ts. */
  otel: string | null;
  /** JSON: `provider/model` by alias; see src/gateway-admin/gateways/model-aliases.ts. */
  model_aliases: string | null;
  created_at: TimeMs;
  modified_at: TimeMs;
}

/** Whose logs are still to be purged. */
export interface DeletedGatewaysTable {
  account_id: string;
  gateway_id: string;
  deleted_at: TimeMs;
}

export interface GatewayProviderConfigsTable {
  account_id: string;
  gateway_id: string;
  id: string;
  /** A built-in provider, or `custom-` and the slug of one of the account's own. */
  provider_slug: string;
  alias: string;
  is_default: Flag;
  sealed_secret: string;
  secret_preview: string;
  /** Where alone the key may be sent: scheme, host and port; null: wherever its provider is. */
  origin: string | null;
  rate_limit: number | null;
  rate_limit_period_seconds: number | null;
  created_at: TimeMs;
  modified_at: TimeMs;
}

export interface CustomProvidersTable {
  account_id: string;
  id: string;
  slug: string;
  name: string;
  description: string | null;
  /** `https://host[:port]/path?query`, without a slash at the end of the path. */
  base_url: string;
  /** Null: `openai`. */
  dialect: string | null;
  key_header: string | null;
  /** A JSON list of texts. */
  models: string | null;
  link: string | null;
  is_beta: Flag;
  is_enabled: Flag;
  created_at: TimeMs;
  modified_at: TimeMs;
}
