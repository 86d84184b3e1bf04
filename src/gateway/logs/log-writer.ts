import { setTimeout as delay } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import { settledWithin } from '../../lib/deadline.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { LogQueue } from './log-queue.ts';
import type { LogRecord } from './log-row.ts';
import type { LogStore } from './log-store.ts';
import { LogStoreError } from './threads/log-trouble.ts';

// A crash loses at most what came in during this time, and what is being written. Rows wait for it also
// behind a batch: each one costs as much as some fifty rows, so few large ones take less of the processor.
const FLUSH_INTERVAL_MS = 50;
const RETRY_MS = 500;
const STOP_TIMEOUT_MS = 5_000;
/** A batch takes some milliseconds; the longest statement of it has as much time as this. */
const SLOW_BATCH_MS = 10_000;
// While it lasts, the log says so once in a while.
const ATTEMPTS_PER_REPORT = 60;
/** What nobody knows the reason of may be a row's doing when it happens so often in a row. */
const ATTEMPTS_PER_BATCH = 5;
// There is no other row with which to find out whether it is the row or the store: a minute.
const ATTEMPTS_PER_LONE_ROW = 120;

export interface LogCounters {
  /** Rows that are lost. */
  dropped: Counter;
  /** Rows that are kept without their bodies. */
  bodiesDropped: Counter;
  /** Rows that their gateways did not want to keep. */
  leftOut: Counter;
}

export interface LogWriterOptions {
  /** After so long a batch that is under way is a failure, and nobody waits for it any more. */
  slowBatchMs?: number;
  /** How long the end may take. */
  stopTimeoutMs?: number;
}

/**
 * Takes log records from the request path without ever making it wait, and writes them in batches. The
 * queue is bounded: what does not fit is dropped and counted, never silently.
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
  /** When the next batch is to be written, by `performance.now()`; undefined: no row waits for one. */
  #dueMs: number | undefined;
  #writing: Promise<boolean> | undefined;
  #failure: Error | undefined;
  /** Since the store last did what it was asked. */
  #failedAttempts = 0;
  /** Of these, the latest ones whose reason nobody knows. */
  #unexplainedAttempts = 0;
  /** One of them may be why a batch cannot be written. */
  readonly #suspects = new WeakSet<LogRecord>();
  /** Something was written since a suspect was the last to fail. */
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

  /** Why the latest batch is not on disk; undefined while all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Rows that wait to be written. */
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

  /** Waits until every record pushed so far is on disk, or the store has failed or takes too long. */
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

  /** Writes what is queued. When the store fails or hangs for too long, counts what is lost. */
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

  /** Writes one batch; answers whether to go on at once. One batch is under way at a time. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().then((goesOn) => {
      this.#writing = undefined;
      if (this.#queue.rows > 0) this.#schedule(goesOn ? this.#waitMs() : RETRY_MS);
      return goesOn;
    });
    return this.#writing;
  }

  /** How long the next batch still has to gather rows. */
  #waitMs(): number {
    return Math.max(0, (this.#dueMs ?? 0) - performance.now());
  }

  async #writeBatch(): Promise<boolean> {
    if (this.#queue.rows === 0) return true;
    const batch = this.#queue.first();
    // What did not fit into it has waited long enough.
    this.#dueMs = this.#queue.rows > batch.length ? 0 : undefined;
    // It is waited for all the same: sent twice, it might be written twice.
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

  /** Answers whether to go on at once. */
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
   * Whether an error that nobody knows is to be taken for a row's doing. A single row is blamed only
   * where others can be written, which are tried first: no row is lost to trouble that passes.
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
