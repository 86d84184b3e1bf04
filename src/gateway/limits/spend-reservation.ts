import type { LeasedQuotas } from '../../storage/leased-quotas.ts';
import type { HeldUnits } from '../../storage/quota.ts';
import type { SpendRule } from './spend-rules.ts';

/** The state of the budget that a call falls under and of which least is left. */
export interface BudgetState {
  rule: SpendRule;
  /** Billionths of a US dollar that are left beside what is reserved, as far as this node knows. */
  remainingNanoUsd: number;
  /** Time until the window ends; of a sliding one, until something of it comes back. */
  resetMs: number;
}

/** What a call has reserved of one budget. */
export interface HeldBudget {
  quotas: LeasedQuotas;
  held: HeldUnits;
  /** Undefined: the rule counts calls without a known price by an estimate; otherwise as free. */
  onUnpriced: (() => void) | undefined;
}

/** The cost of a call, as the limits count it. */
export interface SpendCost {
  nanoUsd: number;
  /** No price is known: rules may leave it out. */
  isUnpriced: boolean;
}

/** What a call has reserved of the budgets that it falls under, until its cost is known. */
export class SpendReservation {
  readonly #budgets: readonly HeldBudget[];
  /** The budget of which least is left, relative to its limit. */
  readonly tightest: BudgetState | undefined;
  #nanoUsd = 0;
  #isUnpriced = false;
  #isSettled = false;
  #isPending = false;

  constructor(budgets: readonly HeldBudget[], tightest: BudgetState | undefined) {
    this.#budgets = budgets;
    this.tightest = tightest;
  }

  /** Adds the cost of an attempt after which another one may follow. */
  add({ nanoUsd, isUnpriced }: SpendCost): void {
    this.#nanoUsd += nanoUsd;
    this.#isUnpriced ||= isUnpriced;
  }

  /** The cost will be known in a moment: {@link close} waits for it. */
  expect(): void {
    this.#isPending = true;
  }

  /** Charges all that was added, and frees the rest. Only the first call counts. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const { quotas, held, onUnpriced } of this.#budgets) {
      const isFree = this.#isUnpriced && onUnpriced !== undefined;
      quotas.settle(held, isFree ? 0 : this.#nanoUsd);
      if (isFree) onUnpriced();
    }
  }

  /** The call is over: settles, unless its cost is still to come. */
  close(): void {
    if (!this.#isPending) this.settle();
  }
}
