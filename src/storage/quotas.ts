import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../lib/awaitable.ts';
import { upToBytes } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { settledWhileRunning, settledWithin } from '../lib/deadline.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import type {
  HeldUnits,
  Quota,
  QuotaBounds,
  QuotaLevel,
  QuotaState,
  ReserveState,
} from './quota.ts';
import { QuotaOutage } from './quota-outage.ts';
import { QuotaReturns } from './quota-returns.ts';
import {
  type Entry,
  ENTRY_BYTES,
  bytesOf,
  firstSlice,
  hasJustHeard,
  leaseSize,
} from './quota-entry.ts';
import { QuotaLease } from './quota-lease.ts';
import { type LeaseSize, MAX_UNITS } from './quota-store.ts';

const MAX_ENTRIES = 50_000;

// A request waits for its lease.
const LEASE_TIMEOUT_MS = 2_000;
// The first lease may have begun earlier. When this many do not help, the database is too slow.
const MAX_LEASES_PER_CALLER = 5;
// In a long window, another node may have returned units meanwhile.
const USED_UP_MS = 300_000;
// Calls that end on other nodes return units sooner.
const REFUSED_MS = 1_000;
// Up to four nodes without a database cannot exceed an unused limit, except one below four: each node may
// take one unit.
const CREDIT_PART = 4;
// Units that are not returned by then are lost until the end of the window, as after a crash.
const STOP_TIMEOUT_MS = 2_000;
// Leases of a busy quota follow each other: a reader does not wait for a pause.
const MAX_READS = 5;

/**
 * Quotas that hold over all nodes. A node leases a slice from the database and grants it from memory. The
 * slices never add up to more than the limit, and one node alone can use all of it. A slice is a small part
 * of what is left, so that little of a limit is lost when a node crashes or stays idle: the rest of its
 * slice is lost until the end of the window.
 *
 * A fixed window begins at a multiple of its length since the Unix epoch. A sliding one ends now; units
 * leave it in parts of a thirtieth, so that no window is ever shorter than it should be. The clocks of the
 * nodes are expected to agree: by as much as they differ, a window may be too short.
 *
 * While the database does not answer, each node grants units on credit: a quarter of the limit in a window,
 * and never more than it last knew to be left. When the database answers again, these units are leased
 * first, so that the count of the window becomes exact. Only in between, and only with several nodes, can
 * more than the limit be taken. When the credit is used up, the quota counts as used up.
 */
export class Quotas {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #leaseTimeoutMs: number;
  // Callers choose the names, and may push out the quotas of others: their units are returned.
  readonly #entries: LRUCache<string, Entry>;
  readonly #returns: QuotaReturns;
  readonly #outage: QuotaOutage;
  #isStopped = false;
  // Numbers the starts of reads and the ends of leases, to compare their order.
  #step = 0;

  constructor(
    database: Database,
    clock: Clock,
    report: ReportTrouble,
    { maxEntries = MAX_ENTRIES, leaseTimeoutMs }: QuotaBounds = {},
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.#leaseTimeoutMs = leaseTimeoutMs ?? LEASE_TIMEOUT_MS;
    this.#outage = new QuotaOutage(clock, report);
    this.#returns = new QuotaReturns({
      database,
      clock,
      outage: this.#outage,
      onGivenBack: (entry) => (entry.leasedAtStep = ++this.#step),
    });
    this.#entries = new LRUCache<string, Entry>({
      ...upToBytes(maxEntries, maxEntries * ENTRY_BYTES, bytesOf),
      dispose: (entry) => this.#returns.letGo(entry),
    });
  }

  /**
   * Takes one unit, if one is left. Asks the database only when this node's lease is used up and the limit is not
   * reached. Never fails and never waits long, whatever the state of the database.
   * @param name belongs to one kind and length of window
   */
  take(name: string, quota: Quota): Awaitable<QuotaState> {
    const entry = this.#entryOf(name, quota);
    return this.#useAvailable(
      entry,
      1,
      () => this.#available(entry),
      (available) => this.#take(entry, available),
    );
  }

  /**
   * Reserves units for a call whose cost is known afterwards. As {@link take}, it neither fails nor waits
   * long.
   * @param units at least 1
   * @param isBounded the cost cannot be higher, so that the call is refused when fewer units are left; any
   *   other call reserves what is left
   */
  reserve(name: string, quota: Quota, units: number, isBounded: boolean): Awaitable<ReserveState> {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    const reserved = { name, quota, units, isBounded };
    return this.#useAvailable(
      entry,
      units,
      () => this.#grantable(entry, units, isBounded),
      (granted) => this.#reserved(entry, reserved, granted),
    );
  }

  /** Reads how much is left, without taking anything. As {@link take}, it neither fails nor waits long. */
  levelOf(name: string, quota: Quota): Awaitable<QuotaLevel> {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    return this.#useAvailable(
      entry,
      0,
      () => this.#knownAvailable(entry),
      (available) => ({
        remaining: Math.max(0, available),
        resetMs: entry.lease.resetMs(this.#clock.now()),
      }),
    );
  }

  /**
   * Replaces a reservation by the cost of the call.
   * @param units a whole number, not below 0; it may be more than was reserved
   */
  settle({ name, quota, units: heldUnits, span }: HeldUnits, units: number): void {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    const before = entry.lease.balance;
    entry.lease.release(span, heldUnits);
    // The next lease returns them, so the next caller asks the database.
    if (entry.lease.balance === before) entry.heardAtMs = undefined;
    this.#charge(entry, units);
    this.#returns.noteSurplus(entry);
  }

  /**
   * Counts units that are spent already, even more than are left. The node leases missing units in the
   * background.
   * @param units a whole number, not below 0
   */
  spend(name: string, quota: Quota, units: number): void {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    this.#charge(entry, units);
  }

  /**
   * The units that this node has leased and not spent; below 0: spent and not leased yet. The count of the
   * database minus this number is spent, except for the leases of other nodes.
   */
  unspentOf(name: string): number {
    const entry = this.#entries.peek(name);
    if (entry === undefined) return 0;
    this.#advance(entry);
    return entry.lease.unspent;
  }

  /**
   * Reads counts of the database at a moment at which they match {@link unspentOf}: a lease that only one
   * of the two includes would change the difference by all that was spent since.
   * @param namesOf the quotas that the result is about
   */
  async readBesideLeases<T>(read: () => Promise<T>, namesOf: (result: T) => string[]): Promise<T> {
    for (let reads = 1; ; reads++) {
      const beganAtStep = ++this.#step;
      const result = await read();
      const leased = namesOf(result)
        .flatMap((name) => this.#entries.peek(name) ?? [])
        .filter((entry) => entry.leasing !== undefined || entry.leasedAtStep > beganAtStep);
      if (leased.length === 0 || reads === MAX_READS) return result;
      const leasing = leased.flatMap((entry) => entry.leasing ?? []);
      await settledWithin(this.#leaseTimeoutMs, Promise.all(leasing));
    }
  }

  /** Returns unspent units. No unit may be taken afterwards. Does not wait long and never fails. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    const settled = this.#returns.stop(entries).catch((error: unknown) => {
      this.#report(error as Error, 'failed to return leases of quotas');
    });
    await settledWithin(STOP_TIMEOUT_MS, settled);
  }

  #entryOf(name: string, quota: Quota): Entry {
    const known = this.#entries.get(name);
    if (known?.lease.windowMs === quota.windowMs) {
      known.lease.limit = quota.limit;
      this.#advance(known);
      return known;
    }
    const entry: Entry = {
      name,
      lease: new QuotaLease(name, quota),
      isSpending: false,
      nextSlice: 0,
      heardAtMs: undefined,
      waiting: 0,
      leasing: undefined,
      leasedAtStep: 0,
    };
    this.#advance(entry);
    this.#entries.set(name, entry);
    return entry;
  }

  #advance(entry: Entry): void {
    const needed = entry.lease.advance(this.#clock.now());
    if (needed === undefined) return;
    entry.nextSlice = Math.max(firstSlice(entry), needed);
    entry.heardAtMs = undefined;
  }

  /**
   * The units that the next caller may take; 0 or less when the limit is reached.
   * @returns undefined if only the database knows it
   */
  #available(entry: Entry): number | undefined {
    const { lease } = entry;
    const left = lease.leasable(this.#clock.now());
    // Below 0: the limit was lowered, or more was taken on credit than there was.
    if (lease.balance > 0 && left + lease.balance > 0) return left + lease.balance;
    if (left <= 0 && hasJustHeard(entry, this.#clock.now(), USED_UP_MS)) return 0;
    if (this.#outage.mayAsk()) return undefined;
    return this.#creditOf(entry, left);
  }

  #creditOf({ lease }: Entry, left: number): number {
    const credit = Math.max(1, Math.floor(lease.limit / CREDIT_PART));
    return Math.min(credit, Math.max(0, left)) - lease.debt;
  }

  #take({ lease }: Entry, available: number): QuotaState {
    const isTaken = available > 0;
    if (isTaken) lease.balance--;
    const remaining = isTaken ? available - 1 : 0;
    return { isTaken, remaining, resetMs: lease.resetMs(this.#clock.now()) };
  }

  /** @returns undefined if only the database knows it */
  #knownAvailable(entry: Entry): number | undefined {
    const { lease, heardAtMs } = entry;
    const left = lease.leasable(this.#clock.now());
    if (heardAtMs !== undefined) return left + lease.balance;
    return this.#outage.mayAsk() ? undefined : this.#creditOf(entry, left);
  }

  /**
   * Units that a reservation gets; 0: it is refused.
   * @returns undefined if only the database knows it
   */
  #grantable(entry: Entry, units: number, isBounded: boolean): number | undefined {
    const { lease } = entry;
    const left = lease.leasable(this.#clock.now());
    const partOf = (available: number): number =>
      isBounded && available < units ? 0 : Math.max(0, Math.min(units, available));
    const granted = partOf(left + lease.balance);
    if (granted > 0 && lease.balance >= granted) return granted;
    if (granted === 0) {
      const isHopeless = isBounded && units > lease.limit;
      if (isHopeless || hasJustHeard(entry, this.#clock.now(), REFUSED_MS)) return 0;
    }
    if (this.#outage.mayAsk()) return undefined;
    return partOf(this.#creditOf(entry, left));
  }

  #reserved(
    { lease }: Entry,
    { name, quota, units, isBounded }: { isBounded: boolean } & Omit<HeldUnits, 'span'>,
    granted: number,
  ): ReserveState {
    const nowMs = this.#clock.now();
    const resetMs = lease.resetMs(nowMs);
    const available = Math.max(0, lease.leasable(nowMs) + lease.balance);
    if (granted === 0) return { held: undefined, remaining: available, resetMs };
    const isWhole = isBounded || granted === units;
    const held = { name, quota, units: granted, span: lease.hold(granted) };
    return { held, remaining: isWhole ? Math.max(0, available - granted) : 0, resetMs };
  }

  #charge(entry: Entry, units: number): void {
    entry.lease.balance = Math.max(entry.lease.balance - units, -MAX_UNITS);
    this.#topUp(entry);
  }

  /**
   * Uses what is known of a quota, after a lease where only the database knows it.
   * @param units for which the caller waits
   * @param available see {@link #available}
   */
  #useAvailable<T>(
    entry: Entry,
    units: number,
    available: () => number | undefined,
    use: (available: number) => T,
  ): Awaitable<T> {
    const known = available();
    return known === undefined ? this.#afterLease(entry, units, available, use) : use(known);
  }

  async #afterLease<T>(
    entry: Entry,
    units: number,
    available: () => number | undefined,
    use: (available: number) => T,
  ): Promise<T> {
    entry.waiting += units;
    try {
      for (let leases = 1; ; leases++) {
        // One lease serves all callers.
        const leasing = (entry.leasing ??= this.#lease(entry));
        const isOver = await settledWhileRunning(this.#leaseTimeoutMs, leasing);
        const failure = isOver
          ? await leasing
          : new Error(`no response within ${this.#leaseTimeoutMs} ms`);
        // A stuck lease must not block the next one.
        if (entry.leasing === leasing) entry.leasing = undefined;
        if (failure !== undefined) this.#outage.fail(failure);
        else if (leases >= MAX_LEASES_PER_CALLER)
          this.#outage.fail(new Error('leases come too late'));
        this.#advance(entry);
        const known = available();
        if (known !== undefined) return use(known);
      }
    } finally {
      entry.waiting -= units;
    }
  }

  /** Leases units for the next caller, and those that were spent without a lease. */
  #topUp(entry: Entry): void {
    const { lease } = entry;
    const isShort = lease.balance * 2 < firstSlice(entry);
    if (!isShort || this.#isStopped || entry.leasing !== undefined) return;
    const hasUse = lease.debt > 0 || lease.leasable(this.#clock.now()) > 0;
    if (!hasUse || !this.#outage.mayAsk()) return;
    const leasing = this.#lease(entry);
    entry.leasing = leasing;
    void leasing.then((failure) => {
      if (entry.leasing === leasing) entry.leasing = undefined;
      if (failure !== undefined) this.#outage.fail(failure);
      // More was spent during the lease.
      else if (lease.balance < 0) this.#topUp(entry);
    });
  }

  /**
   * Adds a slice to the lease, even when no caller waits for it any more.
   * @returns the error, if there was one
   */
  async #lease(entry: Entry): Promise<Error | undefined> {
    const { lease } = entry;
    try {
      const size = (): LeaseSize => leaseSize(entry);
      const isInTime = await lease.lease(this.#database, this.#clock.now(), size);
      if (isInTime) entry.heardAtMs = this.#clock.now();
      entry.nextSlice = Math.min(lease.limit, entry.nextSlice * 2);
      this.#outage.end();
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      entry.leasedAtStep = ++this.#step;
    }
  }
}
