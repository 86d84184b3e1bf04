import type { Database } from './database.ts';
import type { Quota } from './quota.ts';
import type { QuotaFamily } from './quota-family.ts';
import {
  type Bucket,
  type LeaseSize,
  type SliceRequest,
  type Span,
  isOver,
  leaseSlice,
  spanAt,
  spanLength,
  sumOf,
} from './quota-store.ts';
import type { Transaction } from './schema.ts';

/**
 * The part of one node in a quota: the units that it has leased, and what it knows of the other nodes. A
 * lease is for one span of time, which begins at the same moment on every node: a fixed window, or a part
 * of a sliding one. Units that are left when the span ends are given back with the next lease.
 */
export class QuotaLease {
  readonly #name: string;
  readonly family: QuotaFamily | undefined;
  readonly windowMs: number;
  readonly isSliding: boolean;
  readonly #spanMs: number;
  limit: number;
  /** Units leased and not taken; below 0: taken on credit, to be leased afterwards. */
  balance = 0;
  /** Units reserved in this span for calls whose cost is not known yet; not part of `balance`. */
  held = 0;
  #span: Span = { startMs: Number.NEGATIVE_INFINITY, expiresAtMs: Number.NEGATIVE_INFINITY };
  // Units leased in this span, and those taken before they were leased.
  #leased = 0;
  // Units of all nodes as of the last lease, the oldest span first.
  #known: readonly Bucket[] = [];
  // Changes of earlier spans, and debts, that the next lease writes.
  #corrections: readonly Bucket[] = [];
  // Debts that a lease is writing: a second lease must not write them again.
  #pendingDebts: readonly Bucket[] = [];

  constructor(name: string, { limit, windowMs, isSliding = false, family }: Quota) {
    this.#name = name;
    this.family = family?.();
    this.limit = limit;
    this.windowMs = windowMs;
    this.isSliding = isSliding;
    this.#spanMs = spanLength(this);
  }

  /** Units taken without a lease that still count. */
  get debt(): number {
    const debts = this.#corrections.filter(({ units }) => units > 0);
    return sumOf(debts) + sumOf(this.#pendingDebts) + Math.max(0, -this.balance);
  }

  /** Units that the database counts and no caller has taken; below 0: it counts too few. */
  get unspent(): number {
    return this.balance + this.held - unitsOf(this.#corrections) - unitsOf(this.#pendingDebts);
  }

  /**
   * Moves on to the span of this time.
   * @returns undefined while it is the same; otherwise the units that the new span is likely to need
   */
  advance(nowMs: number): number | undefined {
    const startMs = nowMs - (nowMs % this.#spanMs);
    if (startMs === this.#span.startMs) return undefined;
    const taken = this.#leased - this.balance;
    this.#correct(this.#span, -this.balance);
    this.#span = spanAt(this, nowMs);
    const isCounted = (bucket: Bucket): boolean => this.#isCounted(bucket, nowMs);
    this.#known = this.#known.filter(isCounted);
    this.#corrections = this.#corrections.filter(isCounted);
    this.#pendingDebts = this.#pendingDebts.filter(isCounted);
    this.balance = 0;
    this.held = 0;
    this.#leased = 0;
    return taken;
  }

  /**
   * Reserves units of the balance.
   * @returns the span that they belong to, for {@link release}
   */
  hold(units: number): Span {
    this.balance -= units;
    this.held += units;
    return this.#span;
  }

  /** Puts units back that were reserved in this span or an earlier one. */
  release(span: Span, units: number): void {
    if (span.startMs !== this.#span.startMs) return this.#correct(span, -units);
    this.balance += units;
    this.held = Math.max(0, this.held - units);
  }

  /** Units that may be leased, as of the last lease. */
  leasable(nowMs: number): number {
    return this.limit - sumOf(this.#counted(nowMs));
  }

  /** The time until a window ends; of a sliding one, until units come back. */
  resetMs(nowMs: number): number {
    const counted = this.#counted(nowMs);
    let left = this.limit - sumOf(counted);
    for (const { expiresAtMs, units } of counted) {
      left += units;
      if (left > 0) return expiresAtMs - nowMs;
    }
    return Math.max(0, this.#span.expiresAtMs - nowMs);
  }

  /**
   * Leases units, and what was taken without a lease.
   * @param size called when the transaction runs
   * @returns false when the units came too late for their span and are to be given back
   * @throws the error of the database
   */
  async lease(database: Database, nowMs: number, size: () => LeaseSize): Promise<boolean> {
    if (this.balance < 0) {
      this.#correct(this.#span, -this.balance);
      this.#leased -= this.balance;
      this.balance = 0;
    }
    const request = this.#takeRequest(nowMs);
    const debts = request.corrections.filter(({ units }) => units > 0);
    this.#pendingDebts = [...this.#pendingDebts, ...debts];
    try {
      const { units, buckets } = await database.transaction((tx) =>
        leaseSlice(tx, { ...request, ...size() }),
      );
      return this.#add(request.span, units, buckets);
    } catch (error) {
      for (const debt of debts) this.#correct(debt, debt.units);
      throw error;
    } finally {
      this.#pendingDebts = this.#pendingDebts.filter((debt) => !debts.includes(debt));
    }
  }

  /**
   * Releases what is not taken.
   * @returns the write that informs the database; undefined when there is nothing to write
   */
  giveBack(nowMs: number): ((tx: Transaction) => Promise<void>) | undefined {
    const { balance } = this;
    this.#correct(this.#span, -balance);
    this.#known = this.#known.map((bucket) =>
      bucket.startMs === this.#span.startMs
        ? { ...bucket, units: Math.max(0, bucket.units - balance) }
        : bucket,
    );
    this.#leased -= balance;
    this.balance = 0;
    if (this.#corrections.length === 0) return undefined;
    const request = this.#takeRequest(nowMs);
    return async (tx) => void (await leaseSlice(tx, { ...request, need: 0, most: 0 }));
  }

  /** Begins a request. Its corrections are sent once: without an answer, what they give back is lost. */
  #takeRequest(nowMs: number): Omit<SliceRequest, keyof LeaseSize> {
    const corrections = this.#corrections;
    this.#corrections = [];
    return {
      name: this.#name,
      family: this.family,
      isSliding: this.isSliding,
      nowMs,
      limit: this.limit,
      span: this.#span,
      corrections,
    };
  }

  #add(span: Span, units: number, buckets: readonly Bucket[]): boolean {
    if (this.#span.startMs !== span.startMs) {
      if (this.isSliding) this.#known = buckets;
      this.#correct(span, -units);
      return false;
    }
    this.#known = buckets;
    this.balance += units;
    this.#leased += units;
    return true;
  }

  #correct({ startMs, expiresAtMs }: Span, units: number): void {
    const isLost = this.isSliding
      ? expiresAtMs <= this.#span.startMs
      : startMs !== this.#span.startMs;
    if (units === 0 || isLost) return;
    // One for each span, however often the database fails.
    const other = this.#corrections.find((correction) => correction.startMs === startMs);
    const rest = this.#corrections.filter((correction) => correction !== other);
    const sum = (other?.units ?? 0) + units;
    this.#corrections = sum === 0 ? rest : [...rest, { startMs, expiresAtMs, units: sum }];
  }

  #isCounted(bucket: Bucket, nowMs: number): boolean {
    return this.isSliding ? !isOver(bucket, nowMs) : bucket.startMs === this.#span.startMs;
  }

  #counted(nowMs: number): readonly Bucket[] {
    const [oldest, newest] = [this.#known[0], this.#known.at(-1)];
    // Usually all of them count, which needs no copy.
    const areAll = [oldest, newest].every((one) => one === undefined || !isOver(one, nowMs));
    return areAll ? this.#known : this.#known.filter((bucket) => !isOver(bucket, nowMs));
  }
}

/** The sum of units that may be below 0. */
function unitsOf(buckets: readonly Bucket[]): number {
  let sum = 0;
  for (const { units } of buckets) sum += units;
  return sum;
}
