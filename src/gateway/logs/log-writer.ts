import type { Counter } from 'prom-client';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { LogRow, LogStore } from './log-store.ts';

// A crash loses at most what came in during this time.
const FLUSH_INTERVAL_MS = 50;
const MAX_BATCH_ROWS = 1_000;
// About 20 MB of rows: what a minute of trouble with the disk may pile up.
const MAX_QUEUED_ROWS = 50_000;
const RETRY_MS = 500;
const STOP_ATTEMPTS = 5;

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

  constructor(store: LogStore, dropped: Counter, report: ReportTrouble) {
    this.#store = store;
    this.#dropped = dropped;
    this.#report = report;
  }

  /** Queues one row. */
  push(row: LogRow): void {
    if (this.#queue.length >= MAX_QUEUED_ROWS) {
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

  /** Writes what is queued; gives up after several failures and counts what is lost. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    for (let attempt = 1; attempt <= STOP_ATTEMPTS; attempt++) {
      await this.flush();
      clearTimeout(this.#timer);
      if (this.#queue.length === 0) return;
    }
    const lost = this.#queue.length;
    this.#dropped.inc(lost);
    this.#report(new Error(`${lost} gateway log rows are lost`), 'gateway logs were not written');
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, delayMs);
  }

  /** Writes one batch; answers whether it is on disk. One batch is under way at a time. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const batch = this.#queue.slice(0, MAX_BATCH_ROWS);
    let written = true;
    try {
      await this.#store.insert(batch);
      this.#queue = this.#queue.slice(batch.length);
      this.#written += batch.length;
    } catch (error) {
      written = false;
      this.#report(error as Error, 'gateway logs could not be written; trying again');
    }
    if (this.#queue.length > 0) {
      const delayMs = written ? 0 : RETRY_MS;
      // After this batch has been taken off `#writing`.
      setImmediate(() => this.#schedule(delayMs));
    }
    return written;
  }
}
