import type { Clock } from '../lib/clock.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import { LeasedQuotas } from './leased-quotas.ts';
import type { Quota, QuotaBounds } from './quota.ts';
import type { QuotaFamily } from './quota-family.ts';
import type { Holding } from './quota-holding.ts';
import type { LeaseSize } from './quota-slice.ts';
import { addLeased, leaseSlice } from './quota-store.ts';
import type { Transaction } from './schema.ts';

// Some 300 bytes each; of a family, up to a kilobyte.
const MAX_HOLDINGS = 50_000;

/**
 * {@link LeasedQuotas} whose windows begin at multiples of their length since the Unix epoch, at the
 * same moment on every node.
 */
export class Quotas extends LeasedQuotas {
  constructor(database: Database, clock: Clock, report: ReportTrouble, bounds: QuotaBounds = {}) {
    const hold = (name: string, quota: Quota): Holding => new WindowHolding(name, quota);
    super(database, clock, report, hold, { maxHoldings: MAX_HOLDINGS, ...bounds });
  }
}

/** This node's part in the present window of one quota. */
class WindowHolding implements Holding {
  readonly #name: string;
  readonly family: QuotaFamily | undefined;
  readonly windowMs: number;
  limit: number;
  balance = 0;
  held = 0;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  // Units that all nodes have leased, as of this node's last lease.
  #leased = 0;
  // Debts that the database is being told of: a second lease must not count them twice.
  #toldDebt = 0;

  constructor(name: string, { limit, windowMs, family }: Quota) {
    this.#name = name;
    this.family = family?.();
    this.limit = limit;
    this.windowMs = windowMs;
  }

  get debt(): number {
    return Math.max(0, -this.balance) + this.#toldDebt;
  }

  get unspent(): number {
    return this.balance + this.held - this.#toldDebt;
  }

  advance(nowMs: number): number | undefined {
    const windowStartMs = nowMs - (nowMs % this.windowMs);
    if (windowStartMs === this.#windowStartMs) return undefined;
    this.#windowStartMs = windowStartMs;
    this.balance = 0;
    this.held = 0;
    this.#leased = 0;
    this.#toldDebt = 0;
    return 0;
  }

  hold(units: number): number {
    this.balance -= units;
    this.held += units;
    return this.#windowStartMs;
  }

  release(period: number, units: number): void {
    // With the end of its window, nothing of it counts any more.
    if (period !== this.#windowStartMs) return;
    this.balance += units;
    this.held = Math.max(0, this.held - units);
  }

  leasable(): number {
    return this.limit - this.#leased;
  }

  resetMs(nowMs: number): number {
    return Math.max(0, this.#windowStartMs + this.windowMs - nowMs);
  }

  async lease(database: Database, _nowMs: number, size: () => LeaseSize): Promise<boolean> {
    const { limit } = this;
    const window = this.#window();
    const debt = Math.max(0, -this.balance);
    this.balance += debt;
    this.#toldDebt += debt;
    const isOver = (): boolean => this.#windowStartMs !== window.windowStartMs;
    try {
      const { units, leased } = await database.transaction(async (tx) => {
        if (debt > 0) await addLeased(tx, window, debt);
        return leaseSlice(tx, { ...window, limit, ...size() });
      });
      if (isOver()) return false;
      this.balance += units;
      this.#leased = leased;
      return true;
    } catch (error) {
      if (!isOver()) this.balance -= debt;
      throw error;
    } finally {
      if (!isOver()) this.#toldDebt -= debt;
    }
  }

  giveBack(): ((tx: Transaction) => Promise<void>) | undefined {
    const window = this.#window();
    const units = -this.balance;
    if (units === 0) return undefined;
    this.balance = 0;
    this.#leased = Math.max(0, this.#leased + units);
    return (tx) => addLeased(tx, window, units);
  }

  #window() {
    const windowStartMs = this.#windowStartMs;
    return {
      name: this.#name,
      family: this.family,
      windowStartMs,
      windowEndMs: windowStartMs + this.windowMs,
    };
  }
}
