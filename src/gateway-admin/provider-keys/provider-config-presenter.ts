import { showMembers } from '../../iam/audit/audit-view.ts';
import type { Static } from 'typebox';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { formatTime } from '../../lib/clock.ts';
import type { ProviderConfigSchema } from './provider-config-schemas.ts';
import type { ProviderConfig } from './provider-config-store.ts';

/** Presents a stored key without the key itself. */
export function presentProviderConfig(config: ProviderConfig): Static<typeof ProviderConfigSchema> {
  const { origin, rateLimit } = config;
  return {
    id: config.id,
    alias: config.alias,
    default_config: config.isDefault,
    gateway_id: config.gatewayId,
    provider_slug: config.providerSlug,
    // The key has no separate store, so the id of its configuration identifies it.
    secret_id: config.id,
    secret_preview: config.secretPreview,
    ...(origin === undefined ? {} : { origin }),
    ...(rateLimit === undefined
      ? {}
      : { rate_limit: rateLimit.requests, rate_limit_period: rateLimit.windowSeconds }),
    modified_at: formatTime(config.modifiedAtMs),
  };
}

/** Describes a change of a stored key for the audit log of its account. */
export const providerConfigChange = auditedChangeOf(
  { type: 'ai_gateway_provider_config', product: 'ai_gateway' },
  showMembers(
    'id',
    'alias',
    'default_config',
    'gateway_id',
    'provider_slug',
    'secret_id',
    'secret_preview',
    'origin',
    'rate_limit',
    'rate_limit_period',
    'modified_at',
  ),
);
