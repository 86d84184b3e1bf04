import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { presentUrl, showMembers } from '../../iam/audit/audit-view.ts';

/** Type and product of gateways in the audit log. */
export const AUDITED_GATEWAY = { type: 'ai_gateway', product: 'ai_gateway' };

/** Describes a change of a gateway for the audit log of its account. */
export const gatewayChange = auditedChangeOf(AUDITED_GATEWAY, {
  ...showMembers(
    'id',
    'authentication',
    'allow_stored_keys_unauthenticated',
    'collect_logs',
    'zdr',
    'trust_custom_cost',
    'byok_only',
    'cache_ttl',
    'cache_invalidate_on_update',
    'rate_limiting_interval',
    'rate_limiting_limit',
    'rate_limiting_technique',
    'retry_max_attempts',
    'retry_delay',
    'retry_backoff',
    'spend_limits',
    'model_aliases',
    'log_management',
    'log_management_strategy',
    'is_default',
    'created_at',
    'modified_at',
  ),
  otel: { url: presentUrl, content_type: true },
});
