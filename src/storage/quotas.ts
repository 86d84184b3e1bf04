import { LRUCache } from 'lru-cache';
import { upToEntries } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/deadline.ts';
import type { Database } from './database.ts';
import type { ReportTrouble } from './invalidation.ts';
import { leaseSlice } from './quota-store.ts';

/** How many units may be taken in each window of time. */
export interface Quota {
  /** At least 1. */
  limit: number;
  /** Windows begin at multiples of it since the Unix epoch, at the same moment on every node. */
  windowMs: number;
}

/** What became of one attempt to take a unit. */
export interface QuotaState {
  isTaken: boolean;
  /** Units left in this window, as far as this node knows. */
  remaining: number;
  /** Time until the window ends. */
  resetMs: number;
}

/** This node's part in one window of one quota. */
interface Holding {
  readonly name: string;
  readonly limit: number;
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  /** Units leased and not taken yet; below 0: taken on credit, to be leased afterwards. */
  balance: number;
  /** Units that all nodes have leased, as of this node's last lease. */
  leased: number;
  /** Units to lease next time, beyond those that somebody waits for. */
  nextSlice: number;
  /** Callers who wait for a lease. */
  waiting: number;
  leasing: Promise<Error | undefined> | undefined;
}

// Some 200 bytes each. A quota that falls out loses its slice.
const MAX_HOLDINGS = 50_000;
// The first slice: small, since most nodes see little of most quotas. Each further one is twice as large.
const FIRST_PART = 100;
// A caller waits for it, in front of the request that it wants to make.
const LEASE_TIMEOUT_MS = 500;
const RETRY_INTERVAL_MS = 1_000;
// Up to four nodes that are cut off from the database at once cannot exceed an untouched limit.
const CREDIT_PART = 4;

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
export class Quotas {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  readonly #holdings = new LRUCache<string, Holding>(upToEntries(MAX_HOLDINGS));
  // When the database last failed to answer, or was last asked whether it does again.
  #cutOffAtMs: number | undefined;

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  /**
   * Takes one unit, if there is one. Without a promise while this node's slice suffices, or when the
   * limit is reached. Never fails and never waits long, whatever the state of the database.
   * @param name of what is counted; one name belongs to one length of window
   */
  take(name: string, quota: Quota): QuotaState | Promise<QuotaState> {
    const holding = this.#holdingOf(name, quota);
    return this.#takeNow(holding) ?? this.#takeLater(holding);
  }

  #holdingOf(name: string, { limit, windowMs }: Quota): Holding {
    const nowMs = this.#clock.now();
    const windowStartMs = nowMs - (nowMs % windowMs);
    const known = this.#holdings.get(name);
    if (known?.windowStartMs === windowStartMs && known.limit === limit) return known;
    const holding: Holding = {
      name,
      limit,
      windowStartMs,
      windowEndMs: windowStartMs + windowMs,
      balance: 0,
      leased: 0,
      nextSlice: Math.ceil(limit / FIRST_PART),
      waiting: 0,
      leasing: undefined,
    };
    this.#holdings.set(name, holding);
    return holding;
  }

  /** @returns undefined when only the database can tell */
  #takeNow(holding: Holding): QuotaState | undefined {
    const left = holding.limit - holding.leased;
    if (holding.balance > 0) return this.#taken(holding, left);
    if (left <= 0) return this.#refused(holding);
    if (this.#mayAsk()) return undefined;
    const credit = Math.min(Math.ceil(holding.limit / CREDIT_PART), left);
    return holding.balance > -credit ? this.#taken(holding, credit) : this.#refused(holding);
  }

  #taken(holding: Holding, leasable: number): QuotaState {
    holding.balance--;
    const remaining = leasable + holding.balance;
    return { isTaken: true, remaining, resetMs: this.#resetMs(holding) };
  }

  #refused(holding: Holding): QuotaState {
    return { isTaken: false, remaining: 0, resetMs: this.#resetMs(holding) };
  }

  #resetMs({ windowEndMs }: Holding): number {
    return Math.max(0, windowEndMs - this.#clock.now());
  }

  async #takeLater(holding: Holding): Promise<QuotaState> {
    holding.waiting++;
    try {
      for (;;) {
        // One lease at a time, for all who wait.
        const leasing = (holding.leasing ??= this.#lease(holding));
        const isAnswered = await settledWithin(LEASE_TIMEOUT_MS, leasing);
        const failure = isAnswered
          ? await leasing
          : new Error(`no answer in ${LEASE_TIMEOUT_MS} ms`);
        // One that is stuck must not keep the next one from being tried.
        if (holding.leasing === leasing) holding.leasing = undefined;
        if (failure !== undefined) this.#cutOff(failure);
        const state = this.#takeNow(holding);
        if (state !== undefined) return state;
      }
    } finally {
      holding.waiting--;
    }
  }

  /**
   * Adds a slice to the holding, also when nobody waits for it any more.
   * @returns what went wrong
   */
  async #lease(holding: Holding): Promise<Error | undefined> {
    const { name, limit, windowStartMs, windowEndMs } = holding;
    try {
      const { units, leased } = await this.#database.transaction((tx) => {
        const need = Math.max(0, holding.waiting - holding.balance);
        const most = Math.max(need, holding.nextSlice);
        return leaseSlice(tx, { name, windowStartMs, windowEndMs, limit, need, most });
      });
      holding.balance += units;
      holding.leased = Math.max(holding.leased, leased);
      holding.nextSlice = Math.min(limit, holding.nextSlice * 2);
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
}
