import type { Awaitable } from '../../lib/awaitable.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { Quota, QuotaBounds, QuotaState, ReserveState } from '../../storage/quota.ts';
import { Quotas } from '../../storage/quotas.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import { readSpend } from './read-spend.ts';
import {
  SLIDING,
  type SpendBudget,
  type SpendSubject,
  budgetOf,
  familyOf,
  unpricedNameOf,
} from './spend-budget.ts';
import { type BudgetState, type HeldBudget, SpendReservation } from './spend-reservation.ts';
import type { SpendRule, Gateway, RuleSpend } from '../../gateway-admin/snapshot.ts';

/** A stored provider key and its rate limit. */
export interface LimitedKey {
  id: string;
  rateLimit?: { requests: number; windowSeconds: number };
}

/** The estimated cost of a call. */
export interface SpendEstimate {
  nanoUsd: number;
  /** The call cannot cost more. */
  isBounded: boolean;
  /** The price of the model is unknown. */
  isUnpriced: boolean;
}

/** The reason for a rejected call: too little is left of the budget, or the price is unknown. */
export interface SpendRefusal extends BudgetState {
  isUnpriced: boolean;
}

/** A reservation in progress, rule by rule. */
interface Reserving {
  held: HeldBudget[];
  tightest: BudgetState | undefined;
}

const UNLIMITED: QuotaState = { isTaken: true, remaining: Number.POSITIVE_INFINITY, resetMs: 0 };

/** The request and spend limits of gateways. They hold over all nodes. */
export class GatewayLimits {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #quotas: Quotas;

  constructor(parts: {
    database: Database;
    clock: Clock;
    report: ReportTrouble;
    bounds?: QuotaBounds;
  }) {
    const { database, clock, report, bounds } = parts;
    this.#database = database;
    this.#clock = clock;
    this.#quotas = new Quotas(database, clock, report, bounds);
  }

  /**
   * Counts one request to a gateway. A request that is not counted must be rejected until `resetMs` from now.
   * Never fails.
   * @param isApart see {@link countsApart}
   */
  takeRequest(gateway: Gateway, isApart = false): Awaitable<QuotaState> {
    const { rateLimit } = gateway;
    if (rateLimit === null) return UNLIMITED;
    const { requests, windowSeconds, technique } = rateLimit;
    const isSliding = technique === 'sliding';
    // One name belongs to one kind and length of window.
    const kind = isApart ? 'unauthenticated-requests' : 'requests';
    const name = `gateway/${gateway.accountId}/${gateway.id}/${kind}/${windowSeconds}${isSliding ? SLIDING : ''}`;
    return this.#quotas.take(name, { limit: requests, windowMs: windowSeconds * 1_000, isSliding });
  }

  /** Counts one request with a stored provider key in fixed windows. */
  takeKey({ id, rateLimit }: LimitedKey): Awaitable<QuotaState> {
    if (rateLimit === undefined) return UNLIMITED;
    const { requests, windowSeconds } = rateLimit;
    const quota = { limit: requests, windowMs: windowSeconds * 1_000 };
    return this.#quotas.take(`key/${id}/${windowSeconds}`, quota);
  }

  /**
   * Reserves the estimated cost of a call in every matching budget.
   * @returns the reservation, or the rule with too little budget. Never fails
   */
  async reserve(
    gateway: Gateway,
    subject: SpendSubject,
    call: SpendEstimate,
  ): Promise<SpendReservation | SpendRefusal> {
    const state: Reserving = { held: [], tightest: undefined };
    for (const rule of gateway.spendRules) {
      const budget = budgetOf(gateway, rule, subject);
      if (budget === undefined) continue;
      if (call.isUnpriced && rule.unpriced === 'refuse') {
        this.#release(state.held);
        return { rule, isUnpriced: true, remainingNanoUsd: 0, resetMs: 0 };
      }
      const quota = budgetQuota(gateway, rule, budget);
      const isFree = call.isUnpriced && rule.unpriced === 'allow';
      const units = isFree ? 1 : Math.max(1, call.nanoUsd);
      const onUnpriced =
        rule.unpriced === 'allow' ? () => this.#countUnpriced(gateway, rule) : undefined;
      // oxlint-disable-next-line no-await-in-loop -- nearly always answered from memory
      const reserved = await this.#quotas.reserve(budget.name, quota, units, call.isBounded);
      const refusal = this.#take(state, { rule, onUnpriced }, reserved);
      if (refusal !== undefined) return refusal;
    }
    return new SpendReservation(this.#quotas, state.held, state.tightest);
  }

  /**
   * Reads the tightest budget without a reservation. Never fails.
   * @returns undefined if no rule matches
   */
  async tightestOf(gateway: Gateway, subject: SpendSubject): Promise<BudgetState | undefined> {
    let tightest: BudgetState | undefined;
    for (const rule of gateway.spendRules) {
      const budget = budgetOf(gateway, rule, subject);
      if (budget === undefined) continue;
      const quota = budgetQuota(gateway, rule, budget);
      const { remaining, resetMs } = await this.#quotas.levelOf(budget.name, quota);
      tightest = tighterOf(tightest, { rule, remainingNanoUsd: remaining, resetMs });
    }
    return tightest;
  }

  /** @returns the refusal if the budget has too little */
  #take(
    state: Reserving,
    { rule, onUnpriced }: Omit<HeldBudget, 'held'> & { rule: SpendRule },
    { held, remaining, resetMs }: ReserveState,
  ): SpendRefusal | undefined {
    const budget: BudgetState = { rule, remainingNanoUsd: remaining, resetMs };
    if (held === undefined) {
      this.#release(state.held);
      return { ...budget, isUnpriced: false };
    }
    state.held.push({ held, onUnpriced });
    state.tightest = tighterOf(state.tightest, budget);
    return undefined;
  }

  #release(budgets: readonly HeldBudget[]): void {
    for (const { held } of budgets) this.#quotas.settle(held, 0);
  }

  /**
   * Counts a cost without a reservation against every matching rule.
   * @param nanoUsd billionths of a US dollar
   */
  charge(gateway: Gateway, subject: SpendSubject, nanoUsd: number): void {
    if (nanoUsd <= 0) return;
    for (const rule of gateway.spendRules) {
      const budget = budgetOf(gateway, rule, subject);
      if (budget === undefined) continue;
      const quota = budgetQuota(gateway, rule, budget);
      this.#quotas.spend(budget.name, quota, nanoUsd);
    }
  }

  /** Counts a call without a known price that a rule allows. */
  #countUnpriced(gateway: Gateway, rule: SpendRule): void {
    this.#quotas.spend(unpricedNameOf(gateway, rule), unpricedQuota(rule), 1);
  }

  /** Reads the current spend of a rule. */
  spentOf(gateway: Pick<Gateway, 'accountId' | 'id'>, rule: SpendRule): Promise<RuleSpend> {
    return readSpend(this.#database.read, {
      gateway,
      rule,
      quota: spendQuota(rule),
      nowMs: this.#clock.now(),
      quotas: this.#quotas,
      unpricedName: unpricedNameOf(gateway, rule),
    });
  }

  /** Returns leased units to the other nodes. Call it after the last request. Never fails. */
  async stop(): Promise<void> {
    await this.#quotas.stop();
  }
}

/** Selects the budget with less left, relative to its limit. */
function tighterOf(one: BudgetState | undefined, other: BudgetState): BudgetState {
  return one !== undefined && partLeft(one) <= partLeft(other) ? one : other;
}

function partLeft({ remainingNanoUsd, rule: { limit } }: BudgetState): number {
  return remainingNanoUsd / limit;
}

/** Returns a quota that counts units without a limit. */
function unpricedQuota({ windowSeconds, technique }: SpendRule): Quota {
  return { limit: 1, windowMs: windowSeconds * 1_000, isSliding: technique === 'sliding' };
}

function budgetQuota(gateway: Gateway, rule: SpendRule, { part }: SpendBudget): Quota {
  const quota = spendQuota(rule);
  if (part.length > 0) quota.family = () => familyOf(gateway, rule, part);
  return quota;
}

function spendQuota({ limit, windowSeconds, technique }: SpendRule): Quota {
  const nanoUsd = Math.max(1, Math.round(limit * NANO_USD_PER_USD));
  return { limit: nanoUsd, windowMs: windowSeconds * 1_000, isSliding: technique === 'sliding' };
}
