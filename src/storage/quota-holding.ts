import type { Database } from './database.ts';
import type { QuotaFamily } from './quota-family.ts';
import type { LeaseSize } from './quota-slice.ts';
import type { Transaction } from './schema.ts';

/** This node's part in one quota: what it has leased, and what it knows of the others. */
export interface Holding {
  limit: number;
  readonly windowMs: number;
  readonly family: QuotaFamily | undefined;
  /** Units leased and not taken yet; below 0: taken on credit, to be leased afterwards. */
  balance: number;
  /** Units taken without a lease that still count. */
  readonly debt: number;
  /** Units set aside in this period for calls whose cost is not known yet; not part of `balance`. */
  readonly held: number;
  /** What the database counts too much, because it is leased and not taken; below 0: too little. */
  readonly unspent: number;
  /**
   * Moves on to the period that a lease would now be for.
   * @returns undefined when it is still the same; otherwise units that the new one may need
   */
  advance(nowMs: number): number | undefined;
  /**
   * Sets units of the balance aside.
   * @returns the period that they are from, for {@link release}
   */
  hold(units: number): number;
  /** Puts units back that were set aside in that period, which may be over. */
  release(period: number, units: number): void;
  /** Units that may be leased, as of the last lease. */
  leasable(nowMs: number): number;
  resetMs(nowMs: number): number;
  /**
   * Leases units, and what was taken without a lease.
   * @param size asked when the transaction runs
   * @returns whether the units came in time for the period that they are for; otherwise they are lost
   */
  lease(database: Database, nowMs: number, size: () => LeaseSize): Promise<boolean>;
  /**
   * Lets go of what is not taken, and of what was taken on credit.
   * @returns what tells the database of it; undefined: there is nothing to tell
   */
  giveBack(nowMs: number): ((tx: Transaction) => Promise<void>) | undefined;
}
