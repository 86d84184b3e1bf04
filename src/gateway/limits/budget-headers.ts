import { NANO_USD_PER_USD } from '../../lib/money.ts';
import type { BudgetState } from './spend-reservation.ts';
import type { ResponseHeaders } from '../http-headers.ts';

/**
 * Adds the headers of the tightest budget: its limit and the rest in US dollars, and the seconds until its window ends, or
 * until a part of a sliding window is available again.
 * @param headers changed by the function
 */
export function addBudgetHeaders(headers: ResponseHeaders, budget: BudgetState): ResponseHeaders {
  const { rule, remainingNanoUsd, resetMs } = budget;
  headers['cf-aig-budget-limit'] = String(rule.limit);
  headers['cf-aig-budget-remaining'] = (remainingNanoUsd / NANO_USD_PER_USD).toFixed(6);
  headers['cf-aig-budget-reset'] = String(Math.max(1, Math.ceil(resetMs / 1_000)));
  return headers;
}
