import { bodyBytes } from '../threads/log-batch.ts';
import type { LogRecord } from '../record.ts';

// Rows of a minute in which the store is unavailable.
const MAX_QUEUED_ROWS = 50_000;
/** More memory than as many ordinary rows use, but less than rows with long metadata do. */
const MAX_QUEUED_ROW_BYTES = 64 * 1024 * 1024;
const MAX_QUEUED_PAYLOAD_BYTES = 64 * 1024 * 1024;
const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** Memory of a row besides its texts. */
const BYTES_PER_ROW = 512;
/** Maximum memory of a character. Many use one byte. */
const BYTES_PER_CHARACTER = 2;

/** The queued part of a record. */
export type Taken = 'record' | 'row' | 'nothing';

/**
 * The queue of log records. A batch stays the same after it failed, so that the store can recognize a batch that it has
 * stored already.
 */
export class LogQueue {
  #records: LogRecord[] = [];
  /** Batches that were formed and not removed yet. */
  readonly #batches: LogRecord[][] = [];
  #rows = 0;
  #rowBytes = 0;
  #payloadBytes = 0;

  /** Number of queued records. */
  get rows(): number {
    return this.#rows;
  }

  /** Queues a record, or only its row if the bodies exceed the limit, or drops it. */
  push(record: LogRecord): Taken {
    const rowBytes = rowBytesOf(record);
    if (this.#rows >= MAX_QUEUED_ROWS) return 'nothing';
    if (this.#rowBytes + rowBytes > MAX_QUEUED_ROW_BYTES) return 'nothing';
    const payloadBytes = payloadBytesOf(record);
    const hasRoom = this.#payloadBytes + payloadBytes <= MAX_QUEUED_PAYLOAD_BYTES;
    this.#records.push(hasRoom ? record : { ...record, payload: null });
    this.#rows++;
    this.#rowBytes += rowBytes;
    if (hasRoom) this.#payloadBytes += payloadBytes;
    return hasRoom ? 'record' : 'row';
  }

  /** Returns the next batch, which stays the same until it is split or removed. */
  first(): readonly LogRecord[] {
    const known = this.#batches[0];
    if (known !== undefined) return known;
    const batch = this.#takeBatch();
    this.#batches.push(batch);
    return batch;
  }

  #takeBatch(): LogRecord[] {
    let rows = 0;
    let bytes = 0;
    for (const record of this.#records) {
      bytes += payloadBytesOf(record);
      if (rows === MAX_BATCH_ROWS || (rows > 0 && bytes > MAX_BATCH_PAYLOAD_BYTES)) break;
      rows++;
    }
    return this.#records.splice(0, rows);
  }

  /** Splits the first batch, of which no row was written. */
  splitFirst(): void {
    const batch = this.#batches.shift() ?? [];
    const half = Math.ceil(batch.length / 2);
    this.#batches.unshift(batch.slice(0, half), batch.slice(half));
  }

  /** Moves the first batch behind others. */
  postponeFirst(): void {
    const batch = this.#batches.shift() ?? [];
    if (this.#batches.length === 0 && this.#records.length > 0) {
      this.#batches.push(this.#takeBatch());
    }
    this.#batches.push(batch);
  }

  /** Removes the first batch. */
  removeFirst(): void {
    const batch = this.#batches.shift() ?? [];
    this.#rows -= batch.length;
    for (const record of batch) {
      this.#rowBytes -= rowBytesOf(record);
      this.#payloadBytes -= payloadBytesOf(record);
    }
  }
}

/** Estimates the memory of a record without its payload. */
function rowBytesOf({ row }: LogRecord): number {
  // One by one, because a loop over the names of columns takes ten times as long.
  const characters =
    row.account_id.length +
    row.gateway_id.length +
    row.id.length +
    row.provider.length +
    row.model.length +
    lengthOf(row.model_type) +
    row.path.length +
    row.request_type.length +
    lengthOf(row.request_content_type) +
    lengthOf(row.response_content_type) +
    lengthOf(row.token_id) +
    lengthOf(row.user_id) +
    lengthOf(row.oauth_client_id) +
    lengthOf(row.metadata) +
    lengthOf(row.event_id);
  return BYTES_PER_ROW + characters * BYTES_PER_CHARACTER;
}

function lengthOf(text: string | null): number {
  return text === null ? 0 : text.length;
}

function lengthsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Estimates the memory of the bodies and headers of a record. */
function payloadBytesOf(record: LogRecord): number {
  const { payload } = record;
  if (payload === null) return 0;
  const characters = lengthsOf(payload.requestHeaders) + lengthsOf(payload.responseHeaders);
  return bodyBytes(record) + characters * BYTES_PER_CHARACTER;
}
