import type { ErrorDefinition } from '../http/errors.ts';
import { gatewayErrors } from './gateway-errors.ts';
import { ruleNameOf } from './limits/spend-rules.ts';
import { addBudgetHeaders } from './limits/budget-headers.ts';
import type { SpendRefusal } from './limits/gateway-limits.ts';
import { NANO_USD_PER_USD } from './logs/nano-usd.ts';
import type { ResponseHeaders } from './outlet.ts';

/** Why a step is not taken. */
export interface StepRefusal {
  definition: ErrorDefinition;
  headers?: ResponseHeaders;
}

/**
 * A refusal of a call whose cost arises after its response: the cost cannot be read (`unmeasured`), too many
 * such calls are pending (`too_many`), or the request deletes one that is not over (`not_over`).
 */
export type DeferredRefusal = 'unmeasured' | 'too_many' | 'not_over';

const DEFERRED_REFUSALS = {
  unmeasured: gatewayErrors.deferredCost,
  too_many: gatewayErrors.tooManyDeferred,
  not_over: gatewayErrors.notOver,
} as const;

/** The refusal of a call for which a budget has too little left, or whose cost is not known in time. */
export function spendRefusal(refused: SpendRefusal | DeferredRefusal): StepRefusal {
  if (typeof refused === 'string') return { definition: DEFERRED_REFUSALS[refused] };
  const { rule, isUnpriced, remainingNanoUsd, resetMs } = refused;
  if (isUnpriced) {
    const { unpricedModel } = gatewayErrors;
    const message = `${unpricedModel.message}: the spend limit "${ruleNameOf(rule)}" rejects such calls`;
    return { definition: { ...unpricedModel, message } };
  }
  const { definition, headers } = limitReached(resetMs, gatewayErrors.spendLimitReached);
  const left = remainingNanoUsd / NANO_USD_PER_USD;
  const reason = left > 0 ? `: the call may cost more than the remaining $${left.toFixed(6)}` : '';
  return {
    definition: { ...definition, message: `${definition.message}: "${ruleNameOf(rule)}"${reason}` },
    headers: addBudgetHeaders({ ...headers, 'cf-aig-budget-rule': ruleNameOf(rule) }, refused),
  };
}

/** A limit is reached, and room again in that many milliseconds. */
export function limitReached(
  resetMs: number,
  definition: ErrorDefinition = gatewayErrors.tooManyRequests,
): StepRefusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
  return { definition, headers: { 'retry-after': String(seconds) } };
}
