import type { Counter } from 'prom-client';
import type { Metrics } from '../../http/metrics.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import type { SpendRule, Gateway } from '../../gateway-admin/snapshot.ts';
import type { BudgetState } from './spend-reservation.ts';

const MAX_BUDGETS = 1_000;

/** The latest known state of a budget. */
interface NotedBudget {
  labels: { account_id: string; gateway_id: string; rule_id: string };
  limitUsd: number;
  /** Billionths of a US dollar. */
  remainingNanoUsd: number;
}

/** Metrics of spend limits. */
export class SpendMetrics {
  readonly #refused: Counter<'reason'>;
  readonly #budgets = new Map<string, NotedBudget>();
  // A rule lives as long as the snapshot of its gateway.
  readonly #budgetOfRule = new WeakMap<SpendRule, NotedBudget | null>();

  constructor(metrics: Metrics) {
    this.#refused = metrics.counter(
      'latchkey_gateway_spend_refused_total',
      'Calls rejected by a spend limit: the budget was exhausted or the price of the model was unknown',
      ['reason'],
    );
    metrics.gauges(
      'latchkey_gateway_budget_limit_usd',
      'Limit of a spend rule without partitions, as of its last call on this node',
      ['account_id', 'gateway_id', 'rule_id'],
      () => [...this.#budgets.values()].map(({ labels, limitUsd }) => [labels, limitUsd]),
    );
    metrics.gauges(
      'latchkey_gateway_budget_remaining_usd',
      'Remaining budget of a spend rule without partitions, without the reservations of calls in progress',
      ['account_id', 'gateway_id', 'rule_id'],
      () =>
        [...this.#budgets.values()].map(({ labels, remainingNanoUsd }) => [
          labels,
          remainingNanoUsd / NANO_USD_PER_USD,
        ]),
    );
  }

  /** Counts a call that a spend limit rejected. */
  refused(isUnpriced: boolean): void {
    this.#refused.inc({ reason: isUnpriced ? 'unpriced' : 'limit' });
  }

  /** Records the tightest budget of a call, if its rule has no other budget. */
  noteBudget(gateway: Gateway, { rule, remainingNanoUsd }: BudgetState): void {
    let noted = this.#budgetOfRule.get(rule);
    if (noted === undefined) {
      noted = this.#addBudget(gateway, rule);
      this.#budgetOfRule.set(rule, noted);
    }
    if (noted !== null) noted.remainingNanoUsd = remainingNanoUsd;
  }

  /** @returns null for a rule without a metric */
  #addBudget({ accountId, id }: Gateway, rule: SpendRule): NotedBudget | null {
    const { model, provider, token, user, oauthClient, metadata } = rule;
    const selectors = [model, provider, token, user, oauthClient, ...Object.values(metadata)];
    if (selectors.some((selector) => selector?.mode === 'partition')) return null;
    // Gateways share the budgets of a rule of the account.
    const gatewayId = rule.isOfAccount === true ? '' : id;
    const key = `${accountId}/${gatewayId}/${rule.id}`;
    if (this.#budgets.size >= MAX_BUDGETS && !this.#budgets.has(key)) return null;
    const labels = { account_id: accountId, gateway_id: gatewayId, rule_id: rule.id };
    const noted = { labels, limitUsd: rule.limit, remainingNanoUsd: 0 };
    this.#budgets.set(key, noted);
    return noted;
  }
}
