import { NANO_USD_PER_USD } from '../logs/nano-usd.ts';
import type { ResponseHeaders } from '../outlet.ts';
import type { BudgetState } from './spend-reservation.ts';

/**
 * The headers that show the budget of which least is left: its limit and what remains in US dollars, and
 * the seconds until its window ends, or until something of a sliding one comes back.
 */
export function budgetHeaders({ rule, remainingNanoUsd, resetMs }: BudgetState): ResponseHeaders {
  const dollars = (remainingNanoUsd / NANO_USD_PER_USD).toFixed(6);
  return {
    'cf-aig-budget-limit': String(rule.limit),
    'cf-aig-budget-remaining': dollars,
    'cf-aig-budget-reset': String(Math.max(1, Math.ceil(resetMs / 1_000))),
  };
}
