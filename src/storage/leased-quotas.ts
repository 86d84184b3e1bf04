import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { upToBytes } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/deadline.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import type { QuotaFamily } from './quota-family.ts';
import { type Entry, HOLDING_BYTES, bytesOf, firstSlice, leaseSize } from './quota-entry.ts';
import type { Holding } from './quota-holding.ts';
import { type LeaseSize, MOST_UNITS } from './quota-slice.ts';

/** How many units may be taken in each window of time. */
export interface Quota {
  /** At least 1. */
  limit: number;
  windowMs: number;
  /** Asked for when a node begins to hold a part, which is seldom. Left out: it is of none. */
  family?: () => QuotaFamily | undefined;
}

/** What became of one attempt to take a unit. */
export interface QuotaState {
  isTaken: boolean;
  /** Units left in this window, as far as this node knows. */
  remaining: number;
  /** Time until the window ends; of a sliding one, until some units come back. */
  resetMs: number;
}

/** Whether anything may still be spent. */
export interface SpendState {
  hasLeft: boolean;
  /** As {@link QuotaState.resetMs}. */
  resetMs: number;
}

/** Left out: what suits a server. */
export interface QuotaBounds {
  /** Of how many quotas a node holds a part at once. */
  maxHoldings?: number;
  /** How long a caller waits for a lease before it counts as not to be had. */
  leaseTimeoutMs?: number;
}

// A caller waits for it, in front of the request that it wants to make.
const LEASE_TIMEOUT_MS = 2_000;
// It is waited for in parts: one at most is lost when this process itself stands still.
const TIMEOUT_PARTS = 10;
// The first may have been under way before; if so many are of no use, the database is too slow.
const MAX_LEASES_PER_CALLER = 5;
const RETRY_INTERVAL_MS = 1_000;
// In a long window another node may have given something back meanwhile.
const USED_UP_MS = 300_000;
// Up to four nodes that are cut off from the database at once cannot exceed an untouched limit, but one
// that is below four: each may take one unit.
const CREDIT_PART = 4;
const GIVEN_BACK_AT_ONCE = 100;
// What is not given back by then is lost with the window, as after a crash.
const STOP_TIMEOUT_MS = 2_000;
// Beyond that, what is let go is lost with its window, as after a crash.
const MAX_LEFT = 1_000;
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
  readonly #left: Entry[] = [];
  #isGivingBack = false;
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
    this.#entries = new LRUCache<string, Entry>({
      ...upToBytes(maxHoldings, maxHoldings * HOLDING_BYTES, bytesOf),
      dispose: (entry) => this.#letGo(entry),
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
    return this.#lookLater(entry, (later) => this.#take(entry, later));
  }

  /**
   * Tells whether anything is left, for what costs an amount that is known only afterwards. As
   * {@link take}, it neither fails nor waits long.
   */
  hasLeft(name: string, quota: Quota): SpendState | Promise<SpendState> {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    const available = this.#available(entry);
    if (available !== undefined) return this.#spendState(entry, available);
    return this.#lookLater(entry, (later) => this.#spendState(entry, later));
  }

  /**
   * Spends units that are gone already, also more than are left. What this node has not leased it
   * leases in the background.
   * @param units whole and not below 0
   */
  spend(name: string, quota: Quota, units: number): void {
    const entry = this.#entryOf(name, quota);
    entry.isSpending = true;
    entry.holding.balance = Math.max(entry.holding.balance - units, -MOST_UNITS);
    this.#topUp(entry);
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
    const settled = this.#settleAll().catch((error: unknown) => {
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
    if (left <= 0 && this.#hasJustHeard(entry)) return 0;
    if (this.#mayAsk()) return undefined;
    const credit = Math.max(1, Math.floor(holding.limit / CREDIT_PART));
    return Math.min(credit, Math.max(0, left)) - holding.debt;
  }

  #hasJustHeard({ heardAtMs }: Entry): boolean {
    if (heardAtMs === undefined) return false;
    const sinceMs = this.#clock.now() - heardAtMs;
    return sinceMs >= 0 && sinceMs < USED_UP_MS;
  }

  #take({ holding }: Entry, available: number): QuotaState {
    const isTaken = available > 0;
    if (isTaken) holding.balance--;
    const remaining = isTaken ? available - 1 : 0;
    return { isTaken, remaining, resetMs: holding.resetMs(this.#clock.now()) };
  }

  #spendState({ holding }: Entry, available: number): SpendState {
    return { hasLeft: available > 0, resetMs: holding.resetMs(this.#clock.now()) };
  }

  /** Waits for a lease, and looks then. */
  async #lookLater<T>(entry: Entry, look: (available: number) => T): Promise<T> {
    entry.waiting++;
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
        const available = this.#available(entry);
        if (available !== undefined) return look(available);
      }
    } finally {
      entry.waiting--;
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

  #letGo(entry: Entry): void {
    if (this.#isStopped || this.#cutOffAtMs !== undefined || this.#left.length >= MAX_LEFT) return;
    this.#left.push(entry);
    if (this.#isGivingBack) return;
    this.#isGivingBack = true;
    this.#giveBackLeft()
      .catch((error: unknown) => this.#cutOff(error as Error))
      .finally(() => (this.#isGivingBack = false));
  }

  async #giveBackLeft(): Promise<void> {
    // Whoever falls out by the hundred falls out within one turn.
    await nextTurn();
    while (this.#left.length > 0) await this.#giveBack(this.#left.splice(0, GIVEN_BACK_AT_ONCE));
  }

  async #settleAll(): Promise<void> {
    const entries = [...this.#entries.values(), ...this.#left.splice(0)];
    this.#entries.clear();
    for (let at = 0; at < entries.length; at += GIVEN_BACK_AT_ONCE) {
      await this.#giveBack(entries.slice(at, at + GIVEN_BACK_AT_ONCE));
    }
  }

  async #giveBack(entries: Entry[]): Promise<void> {
    await Promise.all(entries.flatMap(({ leasing }) => leasing ?? []));
    const nowMs = this.#clock.now();
    // In an order of their own, so that nodes that do this at once do not wait for one another in a ring.
    const tellings = entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        this.#advance(entry);
        return entry.holding.giveBack(nowMs) ?? [];
      });
    if (tellings.length === 0) return;
    await this.#database.transaction(async (tx) => {
      for (const tell of tellings) await tell(tx);
    });
  }
}
