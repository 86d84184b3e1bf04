import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { ApiError, type ErrorEntry, errorEntry } from '../../http/errors.ts';
import type { GatewayData } from '../admin-services.ts';
import type { BaseUrlRules } from '../custom-providers/parse-base-url.ts';
import { type GatewaySettings, amountOf } from './gateway-record.ts';
import type { GatewayInput } from './gateway-schemas.ts';
import { findLackingFeatures } from './unsupported-settings.ts';
import { findModelAliasFaults } from './model-aliases.ts';
import { findOtelFaults } from './otel-settings.ts';
import { completeSpendLimits, findSpendLimitFaults } from './spend-limits.ts';
import { DEFAULT_GATEWAY_ID } from './gateway.ts';

/**
 * Parses the settings in the body of a request, except `otel` (see otel-secrets.ts). Missing members get their defaults.
 * @throws ApiError 5001 with all faults that the schema cannot express
 */
export function parseGatewayInput(
  id: string,
  body: GatewayInput,
  rules: BaseUrlRules & { data: Pick<GatewayData, 'builtInProviders'> },
): Omit<GatewaySettings, 'otel'> {
  const limits = body.spend_limits ?? null;
  const faults = findFaults(id, body, rules);
  if (faults.length > 0) throw new ApiError(gatewayFieldErrors.invalidField.status, faults);
  return {
    authentication: body.authentication ?? true,
    allowStoredKeysUnauthenticated: body.allow_stored_keys_unauthenticated ?? false,
    collectLogs: body.collect_logs,
    cacheTtlSeconds: body.cache_ttl,
    cacheInvalidateOnUpdate: body.cache_invalidate_on_update,
    rateLimitIntervalSeconds: body.rate_limiting_interval,
    rateLimitRequests: body.rate_limiting_limit,
    rateLimitTechnique: body.rate_limiting_technique ?? null,
    ...parseRetries(body),
    spendLimits: limits === null ? null : completeSpendLimits(limits),
    maxLogRows: body.log_management ?? null,
    logStrategy: body.log_management_strategy ?? null,
    zeroDataRetention: body.zdr ?? false,
    trustsCustomCost: body.trust_custom_cost ?? false,
    isByokOnly: body.byok_only ?? false,
    modelAliases: body.model_aliases ?? null,
  };
}

function findFaults(
  id: string,
  body: GatewayInput,
  rules: BaseUrlRules & { data: Pick<GatewayData, 'builtInProviders'> },
): ErrorEntry[] {
  const limits = body.spend_limits ?? null;
  return [
    ...findLackingFeatures(body),
    ...findRateLimitFaults(body),
    ...findDefaultFaults(id, body),
    ...(limits === null ? [] : findSpendLimitFaults(limits)),
    ...findOtelFaults(body.otel ?? [], rules),
    ...findModelAliasFaults(body.model_aliases ?? {}, rules.data.builtInProviders),
  ];
}

function parseRetries(
  body: GatewayInput,
): Pick<GatewaySettings, 'retryMaxAttempts' | 'retryDelayMs' | 'retryBackoff'> {
  return {
    retryMaxAttempts: body.retry_max_attempts ?? null,
    retryDelayMs: body.retry_delay ?? null,
    retryBackoff: body.retry_backoff ?? null,
  };
}

/** Finds rate limits without a window, and windows without a limit. */
function findRateLimitFaults(body: GatewayInput): ErrorEntry[] {
  const interval = amountOf(body.rate_limiting_interval);
  const limit = amountOf(body.rate_limiting_limit);
  if ((interval === null) === (limit === null)) return [];
  const missing = interval === null ? 'rate_limiting_interval' : 'rate_limiting_limit';
  return [
    fault(
      missing,
      'rate_limiting_interval and rate_limiting_limit must both be set or both be disabled (0 or null)',
    ),
  ];
}

function findDefaultFaults(id: string, body: GatewayInput): ErrorEntry[] {
  const isDefault = id === DEFAULT_GATEWAY_ID;
  if (body.is_default === undefined || body.is_default === isDefault) return [];
  return [fault('is_default', `is_default is ${String(isDefault)} for the id ${id}`)];
}

function fault(field: string, reason: string): ErrorEntry {
  const { invalidField } = gatewayFieldErrors;
  return errorEntry(invalidField, {
    message: `${invalidField.message}: ${reason}`,
    pointer: `/${field}`,
  });
}
