import { LRUCache } from 'lru-cache';
import { upToBytes } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/deadline.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import type { HeldUnits, Quota, QuotaBounds, QuotaState, ReserveState } from './quota.ts';
import { QuotaReturns } from './quota-returns.ts';
import { type Entry, HOLDING_BYTES, bytesOf, firstSlice, leaseSize } from './quota-entry.ts';
import type { Holding } from './quota-holding.ts';
import { type LeaseSize, MOST_UNITS } from './quota-slice.ts';

// A caller waits for it, in front of the request that it wants to make.
const LEASE_TIMEOUT_MS = 2_000;
// It is waited for in parts: one at most is lost when this process itself stands still.
const TIMEOUT_PARTS = 10;
// The first may have been under way before; if so many are of no use, the database is too slow.
const MAX_LEASES_PER_CALLER = 5;
const RETRY_INTERVAL_MS = 1_000;
// In a long window another node may have given something back meanwhile.
const USED_UP_MS = 300_000;
// Calls that end on another node give something back sooner.
const REFUSED_MS = 1_000;
// Up to four nodes that are cut off from the database at once cannot exceed an untouched limit, but one
// that is below four: each may take one unit.
const CREDIT_PART = 4;
// What is not given back by then is lost with the window, as after a crash.
const STOP_TIMEOUT_MS = 2_000;
// Leases of what is used a lot follow each other; who only looks does not wait for a pause.
const MAX_READS = 5;

/**
 * Quotas that hold over all nodes. A node leases a slice from the database and spends it from memory;
 * the slices never add up to more than the limit, and one node alone can spend all of it. Slices are
 * a small part of what is left, so little of a limit is lost when a node stops using its slice, or
 * crashes: the rest of a slice is lost with the end of the window.
 *
 * While the database does not answer, each node takes on credit: a quarter of the limit a window, and
 * never more than was left of it when the node last heard. What it took is leased first when the
 * database is back, so within the window the account is right again. Only then, and only with several
 * nodes, more than the limit can be taken. When the credit is used up, the quota counts as used up.
 */
export class LeasedQuotas {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #hold: (name: string, quota: Quota) => Holding;
  readonly #leaseTimeoutMs: number;
  // Callers choose what is counted, so what falls out may be somebody else's: it is given back.
  readonly #entries: LRUCache<string, Entry>;
  readonly #returns: QuotaReturns;
  // When the database last failed to answer, or was last asked whether it does again.
  #cutOffAtMs: number | undefined;
  #isStopped = false;
  // Counts reads that begin and leases that end, to tell which of two was later.
  #step = 0;

  /** @param hold begins what a node holds of a quota */
  constructor(
    database: Database,
    clock: Clock,
    report: ReportTrouble,
    hold: (name: string, quota: Quota) => Holding,
    { maxHoldings, leaseTimeoutMs }: QuotaBounds & { maxHoldings: number },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.#hold = hold;
    this.#leaseTimeoutMs = leaseTimeoutMs ?? LEASE_TIMEOUT_MS;
    this.#returns = new QuotaReturns({
      database,
      clock,
      isCutOff: () => this.#cutOffAtMs !== undefined,
      onError: (error) => this.#cutOff(error),
      onGivenBack: (entry) => (entry.leasedAtStep = ++this.#step),
    });
    this.#entries = new LRUCache<string, Entry>({
      ...upToBytes(maxHoldings, maxHoldings * HOLDING_BYTES, bytesOf),
      dispose: (entry) => this.#returns.letGo(entry),
    });
  }

  /**
   * Takes one unit, if there is one. Without a promise while this node's slice suffices, or when the
   * limit is reached. Never fails and never waits long, whatever the state of the database.
   * @param name of what is counted; one name belongs to one length of window
   */
  take(name: string, quota: Quota): QuotaState | Promise<QuotaState> {
    const entry = this.#entryOf(name, quota);
    const available = this.#available(entry);
    if (available !== undefined) return this.#take(entry, available);
    return this.#lookLater(
      entry,
      1,
      () => this.#available(entry),
      (later) => this.#take(entry, later),
    );
  }

  /**
   * Sets units aside, for a call whose cost is known only afterwards. As {@link take}, it neither fails nor
   * waits long.
   * @param units at least 1
   * @param isBounded the cost cannot be higher, so that the call is refused when fewer units are left; of
   *   any other call, what is left is set aside
   */
  reserve(
    name: string,
    quota: Quota,
    units: number,
    isBounded: boolean,
  ): ReserveState | Promise<ReserveState> {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    const reserved = { name, quota, units, isBounded };
    const granted = this.#grantable(entry, units, isBounded);
    if (granted !== undefined) return this.#reserved(entry, reserved, granted);
    return this.#lookLater(
      entry,
      units,
      () => this.#grantable(entry, units, isBounded),
      (later) => this.#reserved(entry, reserved, later),
    );
  }

  /**
   * Replaces units that were set aside by what the call has cost.
   * @param units whole and not below 0; more than were set aside count, too
   */
  settle({ name, quota, units: heldUnits, period }: HeldUnits, units: number): void {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    const before = entry.holding.balance;
    entry.holding.release(period, heldUnits);
    // They come back with the next lease: the database has to be asked.
    if (entry.holding.balance === before) entry.heardAtMs = undefined;
    this.#charge(entry, units);
    this.#returns.noteSurplus(entry);
  }

  /**
   * Spends units that are gone already, also more than are left. What this node has not leased it
   * leases in the background.
   * @param units whole and not below 0
   */
  spend(name: string, quota: Quota, units: number): void {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    this.#charge(entry, units);
  }

  /**
   * Units that are leased for this node and not spent; below 0: spent, and not leased yet. What the
   * database counts less these is spent, but for what other nodes have leased ahead.
   */
  unspentOf(name: string): number {
    const entry = this.#entries.peek(name);
    if (entry === undefined) return 0;
    this.#advance(entry);
    return entry.holding.unspent;
  }

  /**
   * Reads what the database counts so that {@link unspentOf} goes with it: a lease that only one of the two
   * knows of would make it too much, or too little, by all that was spent since the last one.
   * @param namesOf the quotas of which something was read
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

  /** Gives unspent leases back; nothing is taken any more. Does not wait long and never fails. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    const settled = this.#returns.stop(entries).catch((error: unknown) => {
      this.#report(error as Error, 'leases of quotas could not be given back');
    });
    await settledWithin(STOP_TIMEOUT_MS, settled);
  }

  #entryOf(name: string, quota: Quota): Entry {
    const known = this.#entries.get(name);
    if (known?.holding.windowMs === quota.windowMs) {
      known.holding.limit = quota.limit;
      this.#advance(known);
      return known;
    }
    const entry: Entry = {
      name,
      holding: this.#hold(name, quota),
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
    const needed = entry.holding.advance(this.#clock.now());
    if (needed === undefined) return;
    entry.nextSlice = Math.max(firstSlice(entry), needed);
    entry.heardAtMs = undefined;
  }

  /**
   * Units that the next caller may take from; 0 or less when the limit is reached.
   * @returns undefined when only the database can tell
   */
  #available(entry: Entry): number | undefined {
    const { holding } = entry;
    const left = holding.leasable(this.#clock.now());
    // Below 0: the limit was lowered, or more was taken on credit than there was.
    if (holding.balance > 0 && left + holding.balance > 0) return left + holding.balance;
    if (left <= 0 && this.#hasJustHeard(entry, USED_UP_MS)) return 0;
    if (this.#mayAsk()) return undefined;
    return this.#creditOf(entry, left);
  }

  #creditOf({ holding }: Entry, left: number): number {
    const credit = Math.max(1, Math.floor(holding.limit / CREDIT_PART));
    return Math.min(credit, Math.max(0, left)) - holding.debt;
  }

  #hasJustHeard({ heardAtMs }: Entry, withinMs: number): boolean {
    if (heardAtMs === undefined) return false;
    const sinceMs = this.#clock.now() - heardAtMs;
    return sinceMs >= 0 && sinceMs < withinMs;
  }

  #take({ holding }: Entry, available: number): QuotaState {
    const isTaken = available > 0;
    if (isTaken) holding.balance--;
    const remaining = isTaken ? available - 1 : 0;
    return { isTaken, remaining, resetMs: holding.resetMs(this.#clock.now()) };
  }

  /**
   * Units that a reservation gets; 0: it is refused.
   * @returns undefined when only the database can tell
   */
  #grantable(entry: Entry, units: number, isBounded: boolean): number | undefined {
    const { holding } = entry;
    const left = holding.leasable(this.#clock.now());
    const partOf = (available: number): number =>
      isBounded && available < units ? 0 : Math.max(0, Math.min(units, available));
    const granted = partOf(left + holding.balance);
    if (granted > 0 && holding.balance >= granted) return granted;
    if (granted === 0) {
      const isHopeless = isBounded && units > holding.limit;
      if (isHopeless || this.#hasJustHeard(entry, REFUSED_MS)) return 0;
    }
    if (this.#mayAsk()) return undefined;
    return partOf(this.#creditOf(entry, left));
  }

  #reserved(
    { holding }: Entry,
    { name, quota, units, isBounded }: { isBounded: boolean } & Omit<HeldUnits, 'period'>,
    granted: number,
  ): ReserveState {
    const nowMs = this.#clock.now();
    const resetMs = holding.resetMs(nowMs);
    const available = Math.max(0, holding.leasable(nowMs) + holding.balance);
    if (granted === 0) return { held: undefined, remaining: available, resetMs };
    const isWhole = isBounded || granted === units;
    const held = { name, quota, units: granted, period: holding.hold(granted) };
    return { held, remaining: isWhole ? Math.max(0, available - granted) : 0, resetMs };
  }

  #charge(entry: Entry, units: number): void {
    entry.holding.balance = Math.max(entry.holding.balance - units, -MOST_UNITS);
    this.#topUp(entry);
  }

  /**
   * Waits for a lease, and looks then.
   * @param units for which the caller waits
   * @param available see {@link #available}
   */
  async #lookLater<T>(
    entry: Entry,
    units: number,
    available: () => number | undefined,
    look: (available: number) => T,
  ): Promise<T> {
    entry.waiting += units;
    try {
      for (let leases = 1; ; leases++) {
        // One lease at a time, for all who wait.
        const leasing = (entry.leasing ??= this.#lease(entry));
        const failure = await this.#outcomeOf(leasing);
        // One that is stuck must not keep the next one from being tried.
        if (entry.leasing === leasing) entry.leasing = undefined;
        if (failure !== undefined) this.#cutOff(failure);
        else if (leases >= MAX_LEASES_PER_CALLER) this.#cutOff(new Error('leases come too late'));
        this.#advance(entry);
        const known = available();
        if (known !== undefined) return look(known);
      }
    } finally {
      entry.waiting -= units;
    }
  }

  /** @returns what went wrong with a lease, if only that there is no answer in time */
  async #outcomeOf(leasing: Promise<Error | undefined>): Promise<Error | undefined> {
    for (let part = 0; part < TIMEOUT_PARTS; part++) {
      if (await settledWithin(this.#leaseTimeoutMs / TIMEOUT_PARTS, leasing)) return leasing;
    }
    return new Error(`no answer in ${this.#leaseTimeoutMs} ms`);
  }

  /** Leases ahead of the next caller, and what was spent without a lease. */
  #topUp(entry: Entry): void {
    const { holding } = entry;
    const isShort = holding.balance * 2 < firstSlice(entry);
    const hasUse = holding.balance < 0 || holding.leasable(this.#clock.now()) > 0;
    if (!isShort || !hasUse || this.#isStopped) return;
    if (entry.leasing !== undefined || !this.#mayAsk()) return;
    const leasing = this.#lease(entry);
    entry.leasing = leasing;
    void leasing.then((failure) => {
      if (entry.leasing === leasing) entry.leasing = undefined;
      if (failure !== undefined) this.#cutOff(failure);
      // More was spent meanwhile.
      else if (holding.balance < 0) this.#topUp(entry);
    });
  }

  /**
   * Adds a slice to the holding, also when nobody waits for it any more.
   * @returns what went wrong
   */
  async #lease(entry: Entry): Promise<Error | undefined> {
    const { holding } = entry;
    try {
      const size = (): LeaseSize => leaseSize(entry);
      const isInTime = await holding.lease(this.#database, this.#clock.now(), size);
      if (isInTime) entry.heardAtMs = this.#clock.now();
      entry.nextSlice = Math.min(holding.limit, entry.nextSlice * 2);
      this.#cutOffAtMs = undefined;
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      entry.leasedAtStep = ++this.#step;
    }
  }

  #cutOff(error: Error): void {
    if (this.#cutOffAtMs === undefined) {
      this.#report(error, 'quotas cannot be leased: they are taken on credit');
    }
    this.#cutOffAtMs = this.#clock.now();
  }

  /** While the database does not answer, one caller in each interval tries whether it does again. */
  #mayAsk(): boolean {
    if (this.#cutOffAtMs === undefined) return true;
    const nowMs = this.#clock.now();
    const sinceMs = nowMs - this.#cutOffAtMs;
    // A clock that was set back makes it negative.
    if (sinceMs >= 0 && sinceMs < RETRY_INTERVAL_MS) return false;
    this.#cutOffAtMs = nowMs;
    return true;
  }
}
