import { bodyBytes } from './threads/log-batch.ts';
import type { LogRecord } from './log-row.ts';

// What a minute of trouble with the disk may pile up.
const MAX_QUEUED_ROWS = 50_000;
/** More than so many ordinary rows take, but not than those with long metadata. */
const MAX_QUEUED_ROW_BYTES = 64 * 1024 * 1024;
const MAX_QUEUED_PAYLOAD_BYTES = 64 * 1024 * 1024;
const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** What a row takes beside its texts. */
const BYTES_PER_ROW = 512;
/** At most; many take one. */
const BYTES_PER_CHARACTER = 2;

/** How much of a record found room. */
export type Taken = 'record' | 'row' | 'nothing';

/**
 * Log records that wait to be written. What was a batch once stays one, also when writing it failed: the
 * store must be able to tell that it has it already.
 */
export class LogQueue {
  #records: LogRecord[] = [];
  /** Those that were made and are not removed yet. */
  readonly #batches: LogRecord[][] = [];
  #rows = 0;
  #rowBytes = 0;
  #payloadBytes = 0;

  /** Records that are in it. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes a record, only its row when there is no room for its bodies, or nothing of it. */
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

  /** The batch that is to be written next, the same until it is split or removed. */
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

  /** Makes two batches of the first one, which was written to no part. */
  splitFirst(): void {
    const batch = this.#batches.shift() ?? [];
    const half = Math.ceil(batch.length / 2);
    this.#batches.unshift(batch.slice(0, half), batch.slice(half));
  }

  /** Lets others go before the first batch. */
  postponeFirst(): void {
    const batch = this.#batches.shift() ?? [];
    if (this.#batches.length === 0 && this.#records.length > 0) {
      this.#batches.push(this.#takeBatch());
    }
    this.#batches.push(batch);
  }

  /** The first batch is settled. */
  removeFirst(): void {
    const batch = this.#batches.shift() ?? [];
    this.#rows -= batch.length;
    for (const record of batch) {
      this.#rowBytes -= rowBytesOf(record);
      this.#payloadBytes -= payloadBytesOf(record);
    }
  }
}

/** About as much memory as a record takes without its payload. */
function rowBytesOf({ row }: LogRecord): number {
  // One by one: to go through the columns by their names takes ten times as long.
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

/** Likewise, what a record's bodies and header fields take. */
function payloadBytesOf(record: LogRecord): number {
  const { payload } = record;
  if (payload === null) return 0;
  const characters = payload.requestHeaders.length + payload.responseHeaders.length;
  return bodyBytes(record) + characters * BYTES_PER_CHARACTER;
}
