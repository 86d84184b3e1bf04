import { setTimeout as delay } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import { settledWithin } from '../../lib/deadline.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { LogQueue } from './log-queue.ts';
import type { LogRecord } from '../record.ts';
import type { LogStore } from '../log-store.ts';
import { LogStoreError } from '../threads/log-store-error.ts';

// A crash loses at most the rows of this time and the batch in progress. Rows wait for it also after a batch: a batch costs
// as much as about fifty rows, so few large batches use less CPU time.
const FLUSH_INTERVAL_MS = 50;
const RETRY_MS = 500;
const STOP_TIMEOUT_MS = 5_000;
/** Time limit of a batch, which usually takes a few milliseconds. The longest statement has the same limit. */
const SLOW_BATCH_MS = 10_000;
// A lasting failure is reported at this interval.
const ATTEMPTS_PER_REPORT = 60;
/** After so many successive unclassified errors, a row may be the cause. */
const ATTEMPTS_PER_BATCH = 5;
// For a minute, there may be no other row to distinguish a bad row from a failing store.
const ATTEMPTS_PER_LONE_ROW = 120;

export interface LogCounters {
  /** Dropped rows. */
  dropped: Counter;
  /** Rows that are stored without their bodies. */
  bodiesDropped: Counter;
  /** Rows that exceed the limits of their gateways. */
  leftOut: Counter;
}

export interface LogWriterOptions {
  /** Time after which a batch in progress counts as failed for those that wait for it. */
  slowBatchMs?: number;
  /** Time limit of the stop. */
  stopTimeoutMs?: number;
}

/**
 * Queues log records of the request path, which never waits, and writes them in batches. The queue is bounded. Dropped
 * records are counted.
 */
export class LogWriter {
  readonly #store: LogStore;
  readonly #report: ReportTrouble;
  readonly #counters: LogCounters;
  readonly #slowBatchMs: number;
  readonly #stopTimeoutMs: number;
  readonly #queue = new LogQueue();
  #pushed = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the next batch by `performance.now()`; undefined: no row waits. */
  #dueMs: number | undefined;
  #writing: Promise<boolean> | undefined;
  #failure: Error | undefined;
  /** Number of failures since the last success. */
  #failedAttempts = 0;
  /** Number of the latest successive failures that are unclassified. */
  #unexplainedAttempts = 0;
  /** Batches that may contain a bad row. */
  readonly #suspects = new WeakSet<LogRecord>();
  /** A batch was written after a suspect failed last. */
  #takesOthers = false;
  #isStopped = false;

  constructor(
    store: LogStore,
    counters: LogCounters,
    report: ReportTrouble,
    { slowBatchMs = SLOW_BATCH_MS, stopTimeoutMs = STOP_TIMEOUT_MS }: LogWriterOptions = {},
  ) {
    this.#store = store;
    this.#counters = counters;
    this.#report = report;
    this.#slowBatchMs = slowBatchMs;
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  /** The error of the latest batch; undefined: it was written. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Number of queued rows. */
  get queuedRows(): number {
    return this.#queue.rows;
  }

  /** Queues one record. */
  push(record: LogRecord): void {
    const taken = this.#isStopped ? 'nothing' : this.#queue.push(record);
    if (taken === 'nothing') {
      this.#counters.dropped.inc();
      return;
    }
    if (taken === 'row') this.#counters.bodiesDropped.inc();
    this.#pushed++;
    if (this.#dueMs !== undefined) return;
    this.#dueMs = performance.now() + FLUSH_INTERVAL_MS;
    this.#schedule(FLUSH_INTERVAL_MS);
  }

  /** Waits until all queued records are on disk, or the store fails or takes too long. */
  async flush(): Promise<void> {
    await settledWithin(this.#slowBatchMs, this.#writeUntil(this.#pushed));
  }

  async #writeUntil(target: number): Promise<void> {
    await this.#writing;
    while (this.#written < target && !this.#isStopped) {
      if (!(await this.#write())) return;
    }
  }

  async #writeAll(): Promise<void> {
    await this.#writeUntil(this.#pushed);
    while (this.#queue.rows > 0 && !this.#isStopped) {
      await delay(RETRY_MS);
      await this.#writeUntil(this.#pushed);
    }
  }

  /** Writes all queued records. Counts the lost ones if the store fails or takes too long. */
  async stop(): Promise<void> {
    await settledWithin(this.#stopTimeoutMs, this.#writeAll());
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const lost = this.#queue.rows;
    if (lost === 0) return;
    this.#counters.dropped.inc(lost);
    this.#report(new Error(`${lost} gateway log rows lost`), 'failed to write gateway logs');
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, delayMs);
  }

  /** Writes one batch. Returns true to continue at once. Only one batch is in progress. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().then((goesOn) => {
      this.#writing = undefined;
      if (this.#queue.rows > 0) this.#schedule(goesOn ? this.#waitMs() : RETRY_MS);
      return goesOn;
    });
    return this.#writing;
  }

  /** Returns the rest of the time in which the next batch collects rows. */
  #waitMs(): number {
    return Math.max(0, (this.#dueMs ?? 0) - performance.now());
  }

  async #writeBatch(): Promise<boolean> {
    if (this.#queue.rows === 0) return true;
    const batch = this.#queue.first();
    // Rows beyond the batch have waited long enough.
    this.#dueMs = this.#queue.rows > batch.length ? 0 : undefined;
    // The batch is not sent again before its result, because it might be written twice.
    const slow = setTimeout(() => {
      this.#fail(new Error(`no response after ${this.#slowBatchMs} ms`));
    }, this.#slowBatchMs).unref();
    try {
      const { leftOut } = await this.#store.insert(batch);
      if (leftOut > 0) this.#counters.leftOut.inc(leftOut);
    } catch (error) {
      return this.#meetTrouble(batch, error as Error);
    } finally {
      clearTimeout(slow);
    }
    this.#takesOthers = true;
    this.#settle(batch);
    return true;
  }

  /** @returns true to continue at once */
  #meetTrouble(batch: readonly LogRecord[], error: Error): boolean {
    const kind = error instanceof LogStoreError ? error.kind : 'failed';
    if (kind === 'unavailable') this.#unexplainedAttempts = 0;
    if (kind === 'unavailable' || (kind === 'failed' && !this.#blames(batch))) {
      this.#fail(error);
      return false;
    }
    if (batch.length > 1) {
      this.#queue.splitFirst();
      this.#dueMs = 0;
      return true;
    }
    this.#counters.dropped.inc();
    this.#report(error, 'gateway log row rejected and lost');
    this.#settle(batch);
    return true;
  }

  /**
   * Decides if an unclassified error is caused by a row. A row is dropped only after other rows were written successfully, so
   * a temporary failure never loses data.
   */
  #blames(batch: readonly LogRecord[]): boolean {
    this.#unexplainedAttempts++;
    if (!batch.some((record) => this.#suspects.has(record))) {
      if (this.#unexplainedAttempts < ATTEMPTS_PER_BATCH) return false;
      for (const record of batch) this.#suspects.add(record);
      this.#takesOthers = false;
    }
    if (batch.length > 1) return true;
    const isAlone = this.#queue.rows === 1;
    if (this.#takesOthers || (isAlone && this.#unexplainedAttempts >= ATTEMPTS_PER_LONE_ROW)) {
      this.#takesOthers = false;
      return true;
    }
    this.#queue.postponeFirst();
    return false;
  }

  #settle(batch: readonly LogRecord[]): void {
    this.#failure = undefined;
    this.#failedAttempts = 0;
    this.#unexplainedAttempts = 0;
    this.#queue.removeFirst();
    this.#written += batch.length;
  }

  #fail(error: Error): void {
    this.#failure = error;
    if (this.#failedAttempts++ % ATTEMPTS_PER_REPORT > 0) return;
    this.#report(error, 'failed to write gateway logs; retrying');
  }
}
