import { ROWS_PER_STATEMENT } from '../../storage/row-statement.ts';

// Less than a millisecond per slice.
const ROWS_PER_SLICE = 16;
// Above it, rows arrive faster than many pauses allow to write them.
const MAX_ROWS_IN_SMALL_SLICES = 160;
/** A request takes a fraction of this time. */
const PAUSE_MS = 1;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Divides the rows of a batch into slices, between which the thread pauses. */
export function* slicesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  const size = rows.length <= MAX_ROWS_IN_SMALL_SLICES ? ROWS_PER_SLICE : ROWS_PER_STATEMENT;
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/**
 * Pauses this thread for a moment. Requests and this thread may share one core, and the scheduler switches threads only after
 * several milliseconds, in which requests would wait.
 */
export function pauseWriter(): void {
  Atomics.wait(never, 0, 0, PAUSE_MS);
}
