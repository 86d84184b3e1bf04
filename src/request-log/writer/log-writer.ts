import { setTimeout as delay } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import { settledWithin } from '../../lib/deadline.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { LogQueue, type QueuedBatch } from './log-queue.ts';
import type { LogRecord } from '../record.ts';
import type { LogStore } from '../log-store.ts';
import { type FailureKind, LogStoreError } from '../threads/log-store-error.ts';

// A crash loses at most the rows of this time and the batch in progress. Rows wait for it also after a batch: a batch costs
// as much as about fifty rows, so few large batches use less CPU time.
const FLUSH_INTERVAL_MS = 50;
const RETRY_MS = 500;
const STOP_TIMEOUT_MS = 5_000;
/** Time limit of a batch, which usually takes a few milliseconds. The longest statement has the same limit. */
const SLOW_BATCH_MS = 10_000;
// A lasting failure is reported at this interval.
const ATTEMPTS_PER_REPORT = 60;
/** After so many successive unclassified errors, and at this interval, the rows are written one by one. */
const ATTEMPTS_BEFORE_ISOLATION = 5;
const ATTEMPTS_PER_ISOLATION = 60;
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
  /** Time after which a flush treats a batch in progress as failed. */
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
  #timer: NodeJS.Timeout | undefined;
  /** Time of the next batch by `performance.now()`; undefined: no row waits. */
  #dueMs: number | undefined;
  #writing: Promise<boolean> | undefined;
  #failure: Error | undefined;
  /** Number of failures since the last success. */
  #failedAttempts = 0;
  /** Number of the latest successive failures that are unclassified. */
  #unclassifiedFailures = 0;
  /** The rows that failed one by one. */
  #suspect: QueuedBatch | undefined;
  /** Other rows were written when or after {@link #suspect} failed. */
  #hasProgress = false;
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
    const result = this.#isStopped ? 'nothing' : this.#queue.push(record);
    if (result === 'nothing') {
      this.#counters.dropped.inc();
      return;
    }
    if (result === 'row') this.#counters.bodiesDropped.inc();
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
    while (this.#pushed - this.#queue.rows < target && !this.#isStopped) {
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
      await this.#insert(batch);
    } catch (error) {
      return await this.#handleWriteError(batch, error as Error);
    } finally {
      clearTimeout(slow);
    }
    this.#queue.replaceFirst();
    this.#settle();
    return true;
  }

  async #insert(batch: QueuedBatch): Promise<void> {
    const { leftOut } = await this.#store.insert(batch);
    if (leftOut > 0) this.#counters.leftOut.inc(leftOut);
    this.#hasProgress = true;
  }

  /** @returns true to continue at once */
  async #handleWriteError(batch: QueuedBatch, error: Error): Promise<boolean> {
    const kind = kindOf(error);
    if (kind === 'unavailable') this.#unclassifiedFailures = 0;
    if (kind === 'failed') this.#unclassifiedFailures++;
    const isIsolated =
      kind === 'refused' ||
      (kind === 'failed' &&
        this.#unclassifiedFailures % ATTEMPTS_PER_ISOLATION === ATTEMPTS_BEFORE_ISOLATION);
    const isLone = batch.length === 1 && this.#unclassifiedFailures >= ATTEMPTS_PER_LONE_ROW;
    if (isIsolated || isLone) return this.#isolateRows(batch, error);
    this.#fail(error);
    return false;
  }

  /**
   * Writes the rows of a failed batch one by one, and drops the rows that the store refuses. A row with an unclassified error
   * is dropped when it fails again and other rows were written, so that a temporary failure loses no data.
   * @returns true to continue at once
   */
  async #isolateRows(batch: QueuedBatch, batchError: Error): Promise<boolean> {
    // A refused batch says nothing about its rows with other errors.
    const isSuspect =
      batch === this.#suspect && this.#hasProgress && kindOf(batchError) === 'failed';
    const failures = await this.#writeEach(batch, batchError);
    if (failures === undefined) return false;
    const isAlone = this.#queue.rows === 1 && this.#unclassifiedFailures >= ATTEMPTS_PER_LONE_ROW;
    const kept: LogRecord[] = [];
    for (const [record, error] of failures) {
      if (isSuspect || isAlone || kindOf(error) === 'refused') this.#drop(error);
      else kept.push(record);
    }
    this.#queue.replaceFirst(kept);
    if (kept.length === 0) {
      this.#settle();
      return true;
    }
    this.#suspect = this.#queue.first();
    this.#hasProgress = failures.size < batch.length;
    this.#queue.postponeFirst();
    this.#fail(batchError);
    return false;
  }

  /** @returns the rows that failed; undefined: the store is unavailable, and the rest of the batch stays in the queue */
  async #writeEach(
    batch: QueuedBatch,
    batchError: Error,
  ): Promise<Map<LogRecord, Error> | undefined> {
    const failures = new Map<LogRecord, Error>();
    const [lone] = batch;
    if (batch.length === 1 && lone !== undefined) return failures.set(lone, batchError);
    for (const [index, record] of batch.entries()) {
      const single = [record];
      try {
        await this.#insert(single);
      } catch (error) {
        if (kindOf(error) === 'unavailable') {
          // The result of this row is unknown, so it stays a batch.
          this.#queue.replaceFirst(single, batch.slice(index + 1), [...failures.keys()]);
          this.#fail(error as Error);
          return undefined;
        }
        failures.set(record, error as Error);
      }
    }
    return failures;
  }

  #drop(error: Error): void {
    this.#counters.dropped.inc();
    this.#report(error, 'gateway log row rejected and lost');
  }

  #settle(): void {
    this.#failure = undefined;
    this.#failedAttempts = 0;
    this.#unclassifiedFailures = 0;
  }

  #fail(error: Error): void {
    this.#failure = error;
    if (this.#failedAttempts++ % ATTEMPTS_PER_REPORT > 0) return;
    this.#report(error, 'failed to write gateway logs; retrying');
  }
}

/** Returns the kind of an error of the store. An error of another kind may be temporary. */
function kindOf(error: unknown): FailureKind {
  return error instanceof LogStoreError ? error.kind : 'failed';
}
