import type { Clock } from '../../lib/clock.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { LeasedQuotas, Quota, QuotaBounds, QuotaState } from '../../storage/leased-quotas.ts';
import { Quotas } from '../../storage/quotas.ts';
import { SlidingQuotas } from '../../storage/sliding-quotas.ts';
import type { Gateway } from '../gateways/gateway-store.ts';
import { NANO_USD_PER_USD } from '../logs/nano-usd.ts';
import { type RuleSpend, readSpend } from './read-spend.ts';
import { type SpendBudget, type SpendSubject, budgetOf, familyOf } from './spend-budget.ts';
import type { SpendRule } from './spend-rules.ts';

/** What of a stored provider key is limited. */
export interface LimitedKey {
  id: string;
  rateLimit?: { requests: number; windowSeconds: number };
}

const UNLIMITED: QuotaState = { isTaken: true, remaining: Number.POSITIVE_INFINITY, resetMs: 0 };

/** The limits of gateways: of requests, and of what is spent. They hold over all nodes. */
export class GatewayLimits {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #fixed: Quotas;
  readonly #sliding: SlidingQuotas;

  constructor(parts: {
    database: Database;
    clock: Clock;
    report: ReportTrouble;
    bounds?: QuotaBounds;
  }) {
    const { database, clock, report, bounds } = parts;
    this.#database = database;
    this.#clock = clock;
    this.#fixed = new Quotas(database, clock, report, bounds);
    this.#sliding = new SlidingQuotas(database, clock, report, bounds);
  }

  /**
   * Counts one request to a gateway; one that is not taken must be refused until `resetMs` from now.
   * Never fails; without a promise nearly always.
   * @param isApart see {@link countsApart}
   */
  takeRequest(gateway: Gateway, isApart = false): MaybePromise<QuotaState> {
    const { rateLimit } = gateway;
    if (rateLimit === null) return UNLIMITED;
    const { requests, windowSeconds, technique } = rateLimit;
    // One name belongs to one length of window.
    const kind = isApart ? 'unauthenticated-requests' : 'requests';
    const name = `gateway/${gateway.accountId}/${gateway.id}/${kind}/${windowSeconds}`;
    return this.#of(technique).take(name, { limit: requests, windowMs: windowSeconds * 1_000 });
  }

  /** Counts one request with a stored provider key, in windows that are aligned to the clock. */
  takeKey({ id, rateLimit }: LimitedKey): MaybePromise<QuotaState> {
    if (rateLimit === undefined) return UNLIMITED;
    const { requests, windowSeconds } = rateLimit;
    const quota = { limit: requests, windowMs: windowSeconds * 1_000 };
    return this.#fixed.take(`key/${id}/${windowSeconds}`, quota);
  }

  /**
   * The first spend limit that is used up for such a request, and when something is left again;
   * undefined when there is none. Never fails; without a promise nearly always.
   */
  reachedSpendLimit(
    gateway: Gateway,
    subject: SpendSubject,
  ): MaybePromise<{ resetMs: number } | undefined> {
    return this.#reachedFrom(0, gateway, subject);
  }

  /** @param first the rules before it are known not to be used up */
  #reachedFrom(
    first: number,
    gateway: Gateway,
    subject: SpendSubject,
  ): MaybePromise<{ resetMs: number } | undefined> {
    for (const [index, rule] of gateway.spendRules.entries()) {
      const budget = index < first ? undefined : budgetOf(gateway, rule, subject);
      if (budget === undefined) continue;
      const quota = budgetQuota(gateway, rule, budget);
      const state = this.#of(rule.technique).hasLeft(budget.name, quota);
      if (state instanceof Promise) {
        return state.then((known) =>
          known.hasLeft ? this.#reachedFrom(index + 1, gateway, subject) : known,
        );
      }
      if (!state.hasLeft) return state;
    }
    return undefined;
  }

  /**
   * Counts what a request has cost against every rule that it falls under.
   * @param costNanoUsd billionths of a US dollar; null, where nobody knows, counts nothing
   */
  charge(gateway: Gateway, subject: SpendSubject, costNanoUsd: number | null): void {
    if (costNanoUsd === null || costNanoUsd <= 0) return;
    for (const rule of gateway.spendRules) {
      const budget = budgetOf(gateway, rule, subject);
      if (budget === undefined) continue;
      const quota = budgetQuota(gateway, rule, budget);
      this.#of(rule.technique).spend(budget.name, quota, costNanoUsd);
    }
  }

  /** What is spent of a rule at the moment. */
  spentOf(gateway: Pick<Gateway, 'accountId' | 'id'>, rule: SpendRule): Promise<RuleSpend> {
    return readSpend(this.#database.read, {
      gateway,
      rule,
      quota: spendQuota(rule),
      nowMs: this.#clock.now(),
      quotas: this.#of(rule.technique),
    });
  }

  /** After the last request: gives back what other nodes may still use. Never fails. */
  async stop(): Promise<void> {
    await Promise.all([this.#fixed.stop(), this.#sliding.stop()]);
  }

  #of(technique: 'fixed' | 'sliding'): LeasedQuotas {
    return technique === 'fixed' ? this.#fixed : this.#sliding;
  }
}

function budgetQuota(gateway: Gateway, rule: SpendRule, { part }: SpendBudget): Quota {
  const quota = spendQuota(rule);
  if (part.length > 0) quota.family = () => familyOf(gateway, rule, part);
  return quota;
}

function spendQuota({ limit, windowSeconds }: { limit: number; windowSeconds: number }): Quota {
  const nanoUsd = Math.max(1, Math.round(limit * NANO_USD_PER_USD));
  return { limit: nanoUsd, windowMs: windowSeconds * 1_000 };
}
