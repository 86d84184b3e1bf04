import type { Clock } from '../lib/clock.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import { LeasedQuotas } from './leased-quotas.ts';
import type { Quota, QuotaBounds } from './quota.ts';
import type { QuotaFamily } from './quota-family.ts';
import type { Holding } from './quota-holding.ts';
import type { LeaseSize } from './quota-slice.ts';
import type { Transaction } from './schema.ts';
import { type Bucket, isOver, leaseSlidingSlice } from './sliding-quota-store.ts';

// Up to 6 KB each, most of them far less.
const MAX_HOLDINGS = 10_000;
// A unit counts up to one bucket longer than the window is.
const BUCKETS_PER_WINDOW = 60;
// A busy quota is leased at least once a bucket.
const MIN_BUCKET_MS = 100;

/**
 * {@link LeasedQuotas} in which the window is the stretch of time that ends now: in none of them do all
 * nodes together take more than the limit. Time is cut into buckets, at the same moments on every node;
 * what was taken in one counts until the whole bucket has left the window. A lease is for one bucket;
 * what is left of it when that ends is given back with the next lease.
 *
 * The clocks of the nodes are taken to agree: by how much they differ, a window may be too short.
 */
export class SlidingQuotas extends LeasedQuotas {
  constructor(database: Database, clock: Clock, report: ReportTrouble, bounds: QuotaBounds = {}) {
    const hold = (name: string, quota: Quota): Holding => new BucketHolding(name, quota);
    super(database, clock, report, hold, { maxHoldings: MAX_HOLDINGS, ...bounds });
  }
}

/** This node's part in one quota: its lease in the present bucket, and what counts in the window. */
class BucketHolding implements Holding {
  readonly #name: string;
  readonly family: QuotaFamily | undefined;
  readonly #bucketMs: number;
  readonly windowMs: number;
  limit: number;
  balance = 0;
  held = 0;
  #endMs = Number.NEGATIVE_INFINITY;
  // Units leased in this bucket, with those taken before they were.
  #leased = 0;
  // What all nodes have leased, as of this node's last lease, the oldest bucket first.
  #known: readonly Bucket[] = [];
  // What the database must be told of buckets that have ended.
  #corrections: readonly Bucket[] = [];
  // Debts that it is being told of: a second lease must not count them twice.
  #toldDebts: readonly Bucket[] = [];

  constructor(name: string, { limit, windowMs, family }: Quota) {
    this.#name = name;
    this.family = family?.();
    this.limit = limit;
    this.windowMs = windowMs;
    this.#bucketMs = Math.max(MIN_BUCKET_MS, Math.ceil(windowMs / BUCKETS_PER_WINDOW));
  }

  get debt(): number {
    const debts = [...this.#corrections, ...this.#toldDebts].filter(({ units }) => units > 0);
    return unitsOf(debts) + Math.max(0, -this.balance);
  }

  get unspent(): number {
    const { balance, held } = this;
    return balance + held - unitsOf(this.#corrections) - unitsOf(this.#toldDebts);
  }

  advance(nowMs: number): number | undefined {
    const endMs = nowMs - (nowMs % this.#bucketMs) + this.#bucketMs;
    if (endMs === this.#endMs) return undefined;
    const taken = this.#leased - this.balance;
    this.#correct(this.#endMs, -this.balance);
    const window = { nowMs, windowMs: this.windowMs };
    this.#corrections = this.#corrections.filter((bucket) => !isOver(bucket.endMs, window));
    this.#endMs = endMs;
    this.balance = 0;
    this.held = 0;
    this.#leased = 0;
    return taken;
  }

  hold(units: number): number {
    this.balance -= units;
    this.held += units;
    return this.#endMs;
  }

  release(period: number, units: number): void {
    if (period !== this.#endMs) return this.#correct(period, -units);
    this.balance += units;
    this.held = Math.max(0, this.held - units);
  }

  leasable(nowMs: number): number {
    return this.limit - unitsOf(this.#counted(nowMs));
  }

  resetMs(nowMs: number): number {
    const counted = this.#counted(nowMs);
    let left = this.limit - unitsOf(counted);
    for (const { endMs, units } of counted) {
      left += units;
      if (left > 0) return endMs + this.windowMs - nowMs;
    }
    return this.#endMs + this.windowMs - nowMs;
  }

  async lease(database: Database, nowMs: number, size: () => LeaseSize): Promise<boolean> {
    const { limit, windowMs } = this;
    const bucketEndMs = this.#endMs;
    if (this.balance < 0) {
      this.#correct(bucketEndMs, -this.balance);
      this.#leased -= this.balance;
      this.balance = 0;
    }
    const corrections = this.#corrections;
    const debts = corrections.filter(({ units }) => units > 0);
    // What is given back twice would be leased twice: without an answer it counts as taken.
    this.#corrections = [];
    this.#toldDebts = [...this.#toldDebts, ...debts];
    const bucket = {
      name: this.#name,
      family: this.family,
      nowMs,
      windowMs,
      limit,
      bucketEndMs,
    };
    try {
      const { units, buckets } = await database.transaction((tx) =>
        leaseSlidingSlice(tx, { ...bucket, ...size(), corrections }),
      );
      this.#known = buckets;
      return this.#add(bucketEndMs, units);
    } catch (error) {
      this.#corrections = [...this.#corrections, ...debts];
      throw error;
    } finally {
      this.#toldDebts = this.#toldDebts.filter((debt) => !debts.includes(debt));
    }
  }

  /** @returns whether the units came in time for their bucket */
  #add(bucketEndMs: number, units: number): boolean {
    if (this.#endMs !== bucketEndMs) {
      this.#correct(bucketEndMs, -units);
      return false;
    }
    this.balance += units;
    this.#leased += units;
    return true;
  }

  giveBack(nowMs: number): ((tx: Transaction) => Promise<void>) | undefined {
    this.#correct(this.#endMs, -this.balance);
    this.#leased -= this.balance;
    this.balance = 0;
    const corrections = this.#corrections;
    if (corrections.length === 0) return undefined;
    this.#corrections = [];
    const lease = {
      name: this.#name,
      family: this.family,
      nowMs,
      windowMs: this.windowMs,
      limit: this.limit,
      bucketEndMs: this.#endMs,
      need: 0,
      most: 0,
      corrections,
    };
    return async (tx) => void (await leaseSlidingSlice(tx, lease));
  }

  #correct(endMs: number, units: number): void {
    if (units !== 0) this.#corrections = [...this.#corrections, { endMs, units }];
  }

  #counted(nowMs: number): readonly Bucket[] {
    const window = { nowMs, windowMs: this.windowMs };
    // Nearly always all of them: nothing is copied then.
    const [oldest, newest] = [this.#known[0], this.#known.at(-1)];
    const areAll = [oldest, newest].every((end) => end === undefined || !isOver(end.endMs, window));
    if (areAll) return this.#known;
    return this.#known.filter(({ endMs }) => !isOver(endMs, window));
  }
}

function unitsOf(buckets: readonly Bucket[]): number {
  let sum = 0;
  for (const { units } of buckets) sum += units;
  return sum;
}
