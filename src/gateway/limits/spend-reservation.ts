import type { HeldUnits } from '../../storage/quota.ts';
import type { TakenQuota } from '../../storage/quota-store.ts';
import type { Quotas } from '../../storage/quotas.ts';
import type { SpendRule } from '../../gateway-admin/snapshot.ts';

/** The state of the tightest budget of a call. */
export interface BudgetState {
  rule: SpendRule;
  /** The rest without reservations, in billionths of a US dollar, to the knowledge of this node. */
  remainingNanoUsd: number;
  /** Time until the window ends, or until a part of a sliding window is available again. */
  resetMs: number;
}

/** The reservation of a call in one budget. */
export interface HeldBudget {
  held: HeldUnits;
  /** Undefined: the rule counts calls without a known price by an estimate; otherwise as free. */
  onUnpriced: (() => void) | undefined;
}

/** The cost of a call for the limits. */
export interface SpendCost {
  nanoUsd: number;
  /** The price is unknown, so that rules may ignore the call. */
  isUnpriced: boolean;
}

/** The reservations of a call in all matching budgets, until its cost is known. */
export class SpendReservation {
  readonly #quotas: Quotas;
  readonly #budgets: readonly HeldBudget[];
  /** The budget with the least left, relative to its limit. */
  readonly tightest: BudgetState | undefined;
  #nanoUsd = 0;
  #isUnpriced = false;
  #isSettled = false;
  #isPending = false;

  constructor(quotas: Quotas, budgets: readonly HeldBudget[], tightest: BudgetState | undefined) {
    this.#quotas = quotas;
    this.#budgets = budgets;
    this.tightest = tightest;
  }

  /** Adds the cost of an attempt after which another one may follow. */
  add({ nanoUsd, isUnpriced }: SpendCost): void {
    this.#nanoUsd += nanoUsd;
    this.#isUnpriced ||= isUnpriced;
  }

  /** Announces a later call of {@link settle}, so that {@link close} has no effect. */
  expect(): void {
    this.#isPending = true;
  }

  /** Charges the added costs and releases the rest. Idempotent: later calls have no effect. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const { held, onUnpriced } of this.#budgets) {
      const isFree = this.#isUnpriced && onUnpriced !== undefined;
      this.#quotas.settle(held, isFree ? 0 : this.#nanoUsd);
      if (isFree) onUnpriced();
    }
  }

  /** The budgets that count the cost of this call, for {@link addUnits}. */
  get counting(): TakenQuota[] {
    return this.#budgets
      .filter(({ onUnpriced }) => !this.#isUnpriced || onUnpriced === undefined)
      .map(({ held: { name, quota, span } }) => {
        const { limit, windowMs, isSliding } = quota;
        return { name, family: quota.family?.(), limit, windowMs, isSliding, span };
      });
  }

  /** Charges all that is reserved, for a call whose cost cannot be calculated. Idempotent. */
  keep(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const { held } of this.#budgets) this.#quotas.settle(held, held.units);
  }

  /**
   * Settles a call that has ended, unless {@link expect} announced its cost.
   * @param isSent the provider may have received the request
   */
  close(isSent: boolean): void {
    if (this.#isPending) return;
    if (isSent) this.keep();
    else this.settle();
  }
}
