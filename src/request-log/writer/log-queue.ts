import { bodyBytes } from '../threads/log-batch.ts';
import type { LogRecord } from '../record.ts';

// Rows of a minute in which the store is unavailable.
const MAX_QUEUED_ROWS = 50_000;
/** More memory than as many ordinary rows use, but less than rows with long metadata do. */
const MAX_QUEUED_ROW_BYTES = 64 * 1024 * 1024;
const MAX_QUEUED_PAYLOAD_BYTES = 64 * 1024 * 1024;
const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** Memory of a row with its short texts. */
const BYTES_PER_ROW = 1_024;
/** Maximum memory of a character. Most texts use one byte. */
const BYTES_PER_CHARACTER = 2;

/** The queued part of a record. */
export type EnqueueResult = 'record' | 'row' | 'nothing';

/** Records that the store writes together. */
export type QueuedBatch = readonly LogRecord[];

/**
 * The queue of log records. A batch stays the same after it failed, so that the store can recognize a batch that it has
 * stored already.
 */
export class LogQueue {
  #records: LogRecord[] = [];
  /** Batches that were formed and not removed yet. */
  #batches: QueuedBatch[] = [];
  #rows = 0;
  #rowBytes = 0;
  #payloadBytes = 0;

  /** Number of queued records. */
  get rows(): number {
    return this.#rows;
  }

  /** Queues a record, or only its row if the bodies exceed the limit, or drops it. */
  push(record: LogRecord): EnqueueResult {
    if (this.#rows >= MAX_QUEUED_ROWS) return 'nothing';
    const rowBytes = rowBytesOf(record);
    if (this.#rowBytes + rowBytes > MAX_QUEUED_ROW_BYTES) return 'nothing';
    this.#rows++;
    this.#rowBytes += rowBytes;
    const payloadBytes = payloadBytesOf(record);
    const isWhole = this.#payloadBytes + payloadBytes <= MAX_QUEUED_PAYLOAD_BYTES;
    if (isWhole) this.#payloadBytes += payloadBytes;
    this.#records.push(isWhole ? record : { ...record, payload: null });
    return isWhole ? 'record' : 'row';
  }

  /** Returns the next batch, which stays the same until it is replaced or removed. */
  first(): QueuedBatch {
    const known = this.#batches[0];
    if (known !== undefined) return known;
    const batch = this.#takeBatch();
    this.#batches.push(batch);
    return batch;
  }

  #takeBatch(): QueuedBatch {
    let rows = 0;
    let bytes = 0;
    for (const record of this.#records) {
      bytes += payloadBytesOf(record);
      if (rows === MAX_BATCH_ROWS || (rows > 0 && bytes > MAX_BATCH_PAYLOAD_BYTES)) break;
      rows++;
    }
    return this.#records.splice(0, rows);
  }

  /** Removes the first batch, except these parts of it, which become batches. */
  replaceFirst(...rest: readonly QueuedBatch[]): void {
    const parts = rest.filter(({ length }) => length > 0);
    const left = new Set(parts.flat());
    for (const record of this.#batches.shift() ?? []) {
      if (left.has(record)) continue;
      this.#rows--;
      this.#rowBytes -= rowBytesOf(record);
      this.#payloadBytes -= payloadBytesOf(record);
    }
    this.#batches.unshift(...parts);
  }

  /** Moves the first batch behind others. */
  postponeFirst(): void {
    const batch = this.#batches.shift() ?? [];
    if (this.#batches.length === 0 && this.#records.length > 0) {
      this.#batches.push(this.#takeBatch());
    }
    this.#batches.push(batch);
  }
}

/** Estimates the memory of a record without its payload: all other texts of a row are short. */
function rowBytesOf({ row: { metadata } }: LogRecord): number {
  return BYTES_PER_ROW + (metadata === null ? 0 : metadata.length * BYTES_PER_CHARACTER);
}

/** Estimates the memory of the bodies and header fields of a record. */
function payloadBytesOf(record: LogRecord): number {
  const { payload } = record;
  if (payload === null) return 0;
  const characters = payload.requestHeaders.length + payload.responseHeaders.length;
  return bodyBytes(record) + characters * BYTES_PER_CHARACTER;
}
