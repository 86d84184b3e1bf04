import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { GatewaySchema } from './gateway-schemas.ts';
import { DEFAULT_GATEWAY_ID, type Gateway } from './gateway-store.ts';

/** A gateway as the API shows it. */
export function presentGateway(gateway: Gateway): Static<typeof GatewaySchema> {
  return {
    id: gateway.id,
    authentication: gateway.authentication,
    allow_stored_keys_unauthenticated: gateway.allowStoredKeysUnauthenticated,
    collect_logs: gateway.collectLogs,
    cache_invalidate_on_update: gateway.cacheInvalidateOnUpdate,
    cache_ttl: null,
    rate_limiting_interval: null,
    rate_limiting_limit: null,
    is_default: gateway.id === DEFAULT_GATEWAY_ID,
    created_at: formatTime(gateway.createdAtMs),
    modified_at: formatTime(gateway.modifiedAtMs),
  };
}
