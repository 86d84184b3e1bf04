import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { GatewayRecord } from './gateway-record.ts';
import type { GatewaySchema } from './gateway-schemas.ts';
import { DISABLED_FEATURES } from './unsupported-settings.ts';
import { presentOtel } from './otel-settings.ts';
import { DEFAULT_GATEWAY_ID } from './gateway.ts';

/** Presents a gateway. */
export function presentGateway(gateway: GatewayRecord): Static<typeof GatewaySchema> {
  const { settings } = gateway;
  return {
    id: gateway.id,
    authentication: settings.authentication,
    allow_stored_keys_unauthenticated: settings.allowStoredKeysUnauthenticated,
    collect_logs: settings.collectLogs,
    cache_ttl: settings.cacheTtlSeconds,
    cache_invalidate_on_update: settings.cacheInvalidateOnUpdate,
    rate_limiting_interval: settings.rateLimitIntervalSeconds,
    rate_limiting_limit: settings.rateLimitRequests,
    rate_limiting_technique: settings.rateLimitTechnique,
    retry_max_attempts: settings.retryMaxAttempts,
    retry_delay: settings.retryDelayMs,
    retry_backoff: settings.retryBackoff,
    spend_limits: settings.spendLimits,
    log_management: settings.maxLogRows,
    log_management_strategy: settings.logStrategy,
    zdr: settings.zeroDataRetention,
    trust_custom_cost: settings.trustsCustomCost,
    byok_only: settings.isByokOnly,
    otel: presentOtel(settings.otel),
    model_aliases: settings.modelAliases,
    ...DISABLED_FEATURES,
    is_default: gateway.id === DEFAULT_GATEWAY_ID,
    created_at: formatTime(gateway.createdAtMs),
    modified_at: formatTime(gateway.modifiedAtMs),
  };
}
