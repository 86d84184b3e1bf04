import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Database } from './database.ts';
import { type Entry, hasSurplus } from './quota-entry.ts';
import type { QuotaOutage } from './quota-outage.ts';

const GIVEN_BACK_AT_ONCE = 100;
// After so long without calls, a node gives back what it has set aside for many of them.
const SURPLUS_MS = 250;
// Beyond that, what is let go is lost with its window, as after a crash.
const MAX_LEFT = 1_000;

interface ReturnParts {
  database: Database;
  clock: Clock;
  outage: QuotaOutage;
  /** Units of an entry that is still in use are back. */
  onGivenBack: (entry: Entry) => void;
}

/** Gives units back to the database that a node has leased and does not need. */
export class QuotaReturns {
  readonly #parts: ReturnParts;
  readonly #left: Entry[] = [];
  readonly #surplus = new Set<Entry>();
  #surplusTimer: NodeJS.Timeout | undefined;
  #isGivingBack = false;
  #isStopped = false;

  constructor(parts: ReturnParts) {
    this.#parts = parts;
  }

  /** Returns the units of an entry that is no longer used. */
  letGo(entry: Entry): void {
    if (this.#isStopped || this.#parts.outage.isOn || this.#left.length >= MAX_LEFT) return;
    this.#left.push(entry);
    if (this.#isGivingBack) return;
    this.#isGivingBack = true;
    this.#giveBackLeft()
      .catch((error: unknown) => this.#parts.outage.fail(error as Error))
      .finally(() => (this.#isGivingBack = false));
  }

  /** Schedules the return of surplus units, so that other nodes can lease them. */
  noteSurplus(entry: Entry): void {
    if (this.#isStopped || !hasSurplus(entry)) return;
    this.#surplus.add(entry);
    this.#surplusTimer ??= setTimeout(() => this.#giveBackSurplus(), SURPLUS_MS).unref();
  }

  /** Returns the units of these entries and of all pending ones. */
  async stop(entries: readonly Entry[]): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#surplusTimer);
    const all = [...entries, ...this.#left.splice(0)];
    for (let at = 0; at < all.length; at += GIVEN_BACK_AT_ONCE) {
      await this.#giveBack(all.slice(at, at + GIVEN_BACK_AT_ONCE));
    }
  }

  #giveBackSurplus(): void {
    this.#surplusTimer = undefined;
    const entries = [...this.#surplus]
      .filter((entry) => hasSurplus(entry) && entry.leasing === undefined)
      .slice(0, GIVEN_BACK_AT_ONCE);
    this.#surplus.clear();
    if (this.#isStopped || this.#parts.outage.isOn) return;
    const giving = this.#write(entries).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    // Until the write is on disk, the database counts too much: readers wait for it, as for a lease.
    for (const entry of entries) entry.leasing = giving;
    void giving.then((failure) => {
      for (const entry of entries) {
        if (entry.leasing === giving) entry.leasing = undefined;
        this.#parts.onGivenBack(entry);
      }
      if (failure !== undefined) this.#parts.outage.fail(failure);
    });
  }

  async #giveBackLeft(): Promise<void> {
    // Entries are pushed out by the hundred within one turn of the event loop: they share a transaction.
    await nextTurn();
    while (this.#left.length > 0) await this.#giveBack(this.#left.splice(0, GIVEN_BACK_AT_ONCE));
  }

  async #giveBack(entries: Entry[]): Promise<void> {
    await Promise.all(entries.flatMap(({ leasing }) => leasing ?? []));
    await this.#write(entries);
  }

  async #write(entries: Entry[]): Promise<void> {
    const { database, clock } = this.#parts;
    const nowMs = clock.now();
    // In an order of their own, so that nodes that do this at once do not wait for one another in a ring.
    const tellings = entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        entry.lease.advance(nowMs);
        // The next caller has to ask how much is left.
        entry.heardAtMs = undefined;
        return entry.lease.giveBack(nowMs) ?? [];
      });
    if (tellings.length === 0) return;
    await database.transaction(async (tx) => {
      for (const tell of tellings) await tell(tx);
    });
  }
}
