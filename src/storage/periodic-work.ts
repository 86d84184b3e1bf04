import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/deadline.ts';
import { createId } from '../lib/ids.ts';
import type { Database } from './database.ts';
import { DeletionClock } from './deletion-clock.ts';
import type { ReportTrouble } from './invalidation.ts';
import { acquireLease, releaseLease } from './leases.ts';

// How long the work of a node that crashed rests until another goes on with it.
const LEASE_MS = 30_000;
// Twice it may fail before the lease is lost.
const PROLONG_INTERVAL_MS = 10_000;
// Less than the server gives to a part that is stopped, so that the lease can still be given back.
const STOP_TIMEOUT_MS = 4_000;
// Node runs a timer with a longer interval all the time.
const MAX_INTERVAL_MS = 2 ** 31 - 1;

/** Something that is to be done again and again, by one node at a time unless it says otherwise. */
export interface PeriodicJob {
  /** Unique; also the name of its lease. */
  name: string;
  /** From the beginning of one round on a node to the beginning of the next there. */
  intervalMs: number;
  /** Rounds hold no lease: every node does them, because what they do has leases of its own. */
  onEveryNode?: true;
  /**
   * One round. It may be cut off anywhere, and be done again by another node.
   * @param signal aborted when the server stops, or when the lease was lost: the round should end
   *   soon, and may do so by throwing the reason
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs jobs in rounds. Each round holds a lease, so that of all nodes one does it at a time, and
 * another goes on when that one crashed. Trouble is reported, and the next round tries again.
 */
export class PeriodicWork {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: ReportTrouble;
  /** How late it is for those who delete what is old. */
  readonly deletionClock: Clock;
  readonly #holder = createId();
  readonly #stopping = new AbortController();
  readonly #jobs = new Map<string, JobState>();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(database: Database, clock: Clock, report: ReportTrouble) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
    this.deletionClock = new DeletionClock(clock, report);
  }

  /** Jobs are added before the start. */
  add(job: PeriodicJob): void {
    if (this.#jobs.has(job.name)) throw new Error(`duplicate job "${job.name}"`);
    if (job.intervalMs > MAX_INTERVAL_MS)
      throw new RangeError('the interval is too long for a timer');
    this.#jobs.set(job.name, { job, running: undefined, next: undefined });
  }

  /** Runs every job now and then in its interval. */
  start(): void {
    for (const state of this.#jobs.values()) {
      const tick = (): void => {
        if (state.running === undefined) void this.runNow(state.job.name);
      };
      this.#timers.push(setInterval(tick, state.job.intervalMs).unref());
    }
    void this.#runFirstRounds();
  }

  /** One after the other: at once, each would open a connection to the database. */
  async #runFirstRounds(): Promise<void> {
    for (const { job, running } of this.#jobs.values()) {
      if (running === undefined) await this.runNow(job.name);
    }
  }

  /**
   * Runs a round that begins after the call: at once, or after the round that runs here now. Trouble
   * with it is reported and not thrown.
   * @returns false when it was left out: another node is at it, or the server stops
   */
  runNow(name: string): Promise<boolean> {
    const state = this.#jobs.get(name);
    if (state === undefined) throw new Error(`unknown job "${name}"`);
    // However many ask for one meanwhile, it serves them all.
    if (state.next !== undefined) return state.next;
    if (state.running === undefined) return this.#begin(state);
    state.next = state.running.then(() => {
      state.next = undefined;
      return this.#begin(state);
    });
    return state.next;
  }

  /** Begins no more rounds, and waits some seconds for those that run. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort();
    await Promise.all(
      [...this.#jobs.values()].map(async ({ job, running }) => {
        if (running === undefined || (await settledWithin(STOP_TIMEOUT_MS, running))) return;
        const error = new Error(`still running after ${STOP_TIMEOUT_MS} ms`);
        this.#report(error, `the periodic job "${job.name}" did not stop in time`);
      }),
    );
  }

  #begin(state: JobState): Promise<boolean> {
    if (this.#stopping.signal.aborted) return Promise.resolve(false);
    const round = this.#round(state.job).finally(() => {
      state.running = undefined;
    });
    state.running = round;
    return round;
  }

  async #round(job: PeriodicJob): Promise<boolean> {
    try {
      const lease = job.onEveryNode === true ? NO_LEASE : await this.#takeLease(job.name);
      if (lease === undefined) return false;
      const signal = AbortSignal.any([this.#stopping.signal, lease.lost]);
      try {
        await job.run(signal);
      } catch (error) {
        if (!signal.aborted || error !== signal.reason) throw error;
      } finally {
        await lease.end();
      }
      // What the job may have taken for its end is trouble all the same.
      lease.lost.throwIfAborted();
    } catch (error) {
      this.#report(error as Error, `the periodic job "${job.name}" failed; retrying later`);
    }
    return true;
  }

  /** @returns undefined while another node holds it */
  async #takeLease(name: string): Promise<Lease | undefined> {
    const acquire = (): Promise<boolean> =>
      acquireLease(this.#database, this.#clock, name, this.#holder, LEASE_MS);
    let heldUntilMs = performance.now() + LEASE_MS;
    if (!(await acquire())) return undefined;
    const lost = new AbortController();
    const prolong = async (): Promise<void> => {
      const nowMs = performance.now();
      try {
        if (await acquire()) heldUntilMs = nowMs + LEASE_MS;
        else lost.abort(new Error('another node has taken the lease'));
      } catch (error) {
        this.#report(error as Error, `failed to renew the lease of the periodic job "${name}"`);
        if (performance.now() >= heldUntilMs) lost.abort(error);
      }
    };
    let prolonging = Promise.resolve();
    const timer = setInterval(() => {
      prolonging = prolonging.then(prolong);
    }, PROLONG_INTERVAL_MS).unref();
    return {
      lost: lost.signal,
      end: async () => {
        clearInterval(timer);
        // One that is under way would take the lease again.
        await prolonging;
        await releaseLease(this.#database, name, this.#holder);
      },
    };
  }
}

interface JobState {
  readonly job: PeriodicJob;
  /** The round that runs on this node. */
  running: Promise<boolean> | undefined;
  /** The round that follows it, when somebody asked for one. */
  next: Promise<boolean> | undefined;
}

interface Lease {
  /** Aborted when another node may be at the work. */
  readonly lost: AbortSignal;
  end(): Promise<void>;
}

const NO_LEASE: Lease = { lost: new AbortController().signal, end: () => Promise.resolve() };
