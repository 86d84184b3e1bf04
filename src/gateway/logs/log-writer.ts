import { setTimeout as delay } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { LogRow, LogStore } from './log-store.ts';

// A crash loses at most what came in during this time.
const FLUSH_INTERVAL_MS = 50;
const MAX_BATCH_ROWS = 1_000;
// About 20 MB of rows: what a minute of trouble with the disk may pile up.
const MAX_QUEUED_ROWS = 50_000;
const RETRY_MS = 500;
const STOP_DEADLINE_MS = 5_000;

/**
 * Takes log rows from the request path without ever making it wait, and writes them in batches. The
 * queue is bounded: what does not fit is dropped and counted, never silently.
 */
export class LogWriter {
  readonly #store: LogStore;
  readonly #report: ReportTrouble;
  readonly #dropped: Counter;
  #queue: LogRow[] = [];
  #pushed = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  #failure: Error | undefined;
  #isStopped = false;

  constructor(store: LogStore, dropped: Counter, report: ReportTrouble) {
    this.#store = store;
    this.#dropped = dropped;
    this.#report = report;
  }

  /** Why the latest batch is not on disk; undefined while all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Queues one row. */
  push(row: LogRow): void {
    if (this.#isStopped || this.#queue.length >= MAX_QUEUED_ROWS) {
      this.#dropped.inc();
      return;
    }
    this.#queue.push(row);
    this.#pushed++;
    this.#schedule(FLUSH_INTERVAL_MS);
  }

  /** Waits until every row pushed so far is on disk, or the store has failed. */
  async flush(): Promise<void> {
    const target = this.#pushed;
    await this.#writing;
    while (this.#written < target) {
      if (!(await this.#write())) return;
    }
  }

  /** Writes what is queued. When the store fails for too long, counts what is lost. */
  async stop(): Promise<void> {
    const deadlineMs = performance.now() + STOP_DEADLINE_MS;
    await this.flush();
    while (this.#queue.length > 0 && performance.now() < deadlineMs) {
      await delay(RETRY_MS);
      await this.flush();
    }
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const lost = this.#queue.length;
    if (lost === 0) return;
    this.#dropped.inc(lost);
    this.#report(new Error(`${lost} gateway log rows are lost`), 'gateway logs were not written');
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, delayMs);
  }

  /** Writes one batch; answers whether it is on disk. One batch is under way at a time. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined;
      if (this.#queue.length > 0) this.#schedule(this.#failure === undefined ? 0 : RETRY_MS);
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const batch = this.#queue.slice(0, MAX_BATCH_ROWS);
    try {
      await this.#store.insert(batch);
    } catch (error) {
      this.#failure = error as Error;
      this.#report(this.#failure, 'gateway logs could not be written; trying again');
      return false;
    }
    this.#failure = undefined;
    this.#queue = this.#queue.slice(batch.length);
    this.#written += batch.length;
    return true;
  }
}
