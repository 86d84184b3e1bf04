import { NANO_USD_PER_USD } from '../../lib/money.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { addBudgetHeaders } from './budget-headers.ts';
import type { SpendRefusal } from './gateway-limits.ts';
import { ruleNameOf } from '../../gateway-admin/snapshot.ts';
import type { ResponseHeaders } from '../http-headers.ts';

/**
 * The error for a reached rate limit.
 * @param resetMs milliseconds until the limit has room again
 */
export function rateLimitError(resetMs: number): GatewayError {
  const headers = retryAfter(resetMs);
  return new GatewayError(gatewayErrors.tooManyRequests, { headers, isRetryable: true });
}

/** The error for a call whose cost may exceed what a spend rule has left, or for which the rule requires a known price. */
export function spendLimitError(refusal: SpendRefusal): GatewayError {
  const { rule, isUnpriced, remainingNanoUsd, resetMs } = refusal;
  const name = ruleNameOf(rule);
  if (isUnpriced) {
    const { unpricedModel } = gatewayErrors;
    return new GatewayError(unpricedModel, {
      message: `${unpricedModel.message}: the spend limit "${name}" rejects such calls`,
      isRetryable: true,
    });
  }
  const { spendLimitReached } = gatewayErrors;
  const left = remainingNanoUsd / NANO_USD_PER_USD;
  const reason = left > 0 ? `: the call may cost more than the remaining $${left.toFixed(6)}` : '';
  return new GatewayError(spendLimitReached, {
    message: `${spendLimitReached.message}: "${name}"${reason}`,
    headers: addBudgetHeaders({ ...retryAfter(resetMs), 'cf-aig-budget-rule': name }, refusal),
    isRetryable: true,
  });
}

function retryAfter(resetMs: number): ResponseHeaders {
  return { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1_000))) };
}
