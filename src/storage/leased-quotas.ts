import { LRUCache } from 'lru-cache';
import { upToEntries } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/deadline.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import type { Transaction } from './schema.ts';

/** How many units may be taken in each window of time. */
export interface Quota {
  /** At least 1. */
  limit: number;
  windowMs: number;
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

/** How many units to lease. */
export interface LeaseSize {
  /** Units that somebody waits for. */
  need: number;
  /** Units that the node has use for; not below `need`. */
  most: number;
}

/** This node's part in one quota: what it has leased, and what it knows of the others. */
export interface Holding {
  limit: number;
  readonly windowMs: number;
  /** Units leased and not taken yet; below 0: taken on credit, to be leased afterwards. */
  balance: number;
  /** Units taken without a lease that still count. */
  readonly debt: number;
  /** Whether the database has yet to be told of anything. */
  readonly isUnsettled: boolean;
  /**
   * Moves on to the period that a lease would now be for.
   * @returns undefined when it is still the same; otherwise units that the new one may need
   */
  advance(nowMs: number): number | undefined;
  /** Units that may be leased, as of the last lease. */
  leasable(nowMs: number): number;
  resetMs(nowMs: number): number;
  /**
   * Leases units, and what was taken without a lease.
   * @param size asked when the transaction runs
   * @returns whether the units came in time for the period that they are for; otherwise they are lost
   */
  lease(database: Database, nowMs: number, size: () => LeaseSize): Promise<boolean>;
  /** Leases nothing, gives back what is not taken, and accounts for what was taken on credit. */
  settle(tx: Transaction, nowMs: number): Promise<void>;
}

/** A holding, and what goes on around it. */
interface Entry {
  readonly name: string;
  readonly holding: Holding;
  /** Amounts are spent: a slice stays small, however many it takes. */
  isSpending: boolean;
  /** Units to lease next time, beyond those that somebody waits for. */
  nextSlice: number;
  /** When this node last heard, in this period, what is left. */
  heardAtMs: number | undefined;
  /** Callers who wait for a lease. */
  waiting: number;
  leasing: Promise<Error | undefined> | undefined;
}

// The first slice: small, since most nodes see little of most quotas. Each further one is twice as large.
const FIRST_PART = 100;
// A caller waits for it, in front of the request that it wants to make.
const LEASE_TIMEOUT_MS = 500;
// The first may have been under way before; if so many are of no use, the database is too slow.
const MAX_LEASES_PER_CALLER = 5;
const RETRY_INTERVAL_MS = 1_000;
// In a long window another node may have given something back meanwhile.
const USED_UP_MS = 300_000;
// Up to four nodes that are cut off from the database at once cannot exceed an untouched limit.
const CREDIT_PART = 4;
const SETTLED_PER_TRANSACTION = 100;
// What is not given back by then is lost with the window, as after a crash.
const STOP_TIMEOUT_MS = 2_000;

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
  // A quota that falls out loses its slice.
  readonly #entries: LRUCache<string, Entry>;
  // When the database last failed to answer, or was last asked whether it does again.
  #cutOffAtMs: number | undefined;
  #isStopped = false;

  /** @param kind what a node holds of a quota, and of how many at once */
  constructor(
    database: Database,
    clock: Clock,
    report: ReportTrouble,
    kind: { hold: (name: string, quota: Quota) => Holding; maxHoldings: number },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.#hold = kind.hold;
    this.#entries = new LRUCache<string, Entry>(upToEntries(kind.maxHoldings));
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
    entry.holding.balance -= units;
    this.#topUp(entry);
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
    const left = Math.max(0, holding.leasable(this.#clock.now()));
    if (holding.balance > 0) return left + holding.balance;
    if (left === 0 && this.#hasJustHeard(entry)) return 0;
    if (this.#mayAsk()) return undefined;
    return Math.min(Math.ceil(holding.limit / CREDIT_PART), left) - holding.debt;
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
        const isAnswered = await settledWithin(LEASE_TIMEOUT_MS, leasing);
        const failure = isAnswered
          ? await leasing
          : new Error(`no answer in ${LEASE_TIMEOUT_MS} ms`);
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

  async #settleAll(): Promise<void> {
    const entries = [...this.#entries.values()];
    await Promise.all(entries.flatMap(({ leasing }) => leasing ?? []));
    const nowMs = this.#clock.now();
    for (const entry of entries) this.#advance(entry);
    // In an order of their own, so that nodes that stop together do not wait for one another in a ring.
    const unsettled = entries
      .filter(({ holding }) => holding.isUnsettled)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#entries.clear();
    for (let at = 0; at < unsettled.length; at += SETTLED_PER_TRANSACTION) {
      const some = unsettled.slice(at, at + SETTLED_PER_TRANSACTION);
      await this.#database.transaction(async (tx) => {
        for (const { holding } of some) await holding.settle(tx, nowMs);
      });
    }
  }
}

function firstSlice({ holding }: Entry): number {
  return Math.ceil(holding.limit / FIRST_PART);
}

function leaseSize(entry: Entry): LeaseSize {
  const held = Math.max(0, entry.holding.balance);
  const need = Math.max(0, entry.waiting - held);
  // Who spends leases ahead, and what is there already need not be leased.
  const wanted = entry.isSpending ? firstSlice(entry) - held : entry.nextSlice;
  return { need, most: Math.max(need, wanted) };
}
