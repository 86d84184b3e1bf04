import { ROWS_PER_STATEMENT } from '../../../storage/row-statement.ts';

// Less than a millisecond's work each.
const ROWS_PER_SLICE = 16;
// Above it the server is so busy that rows come faster than they could be written with many pauses.
const MAX_ROWS_IN_SMALL_SLICES = 160;
/** A request takes a fraction of it. */
const PAUSE_MS = 1;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** The rows of a batch in slices between which the thread is to give way. */
export function* slicesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  const size = rows.length <= MAX_ROWS_IN_SMALL_SLICES ? ROWS_PER_SLICE : ROWS_PER_STATEMENT;
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/**
 * Holds up this thread for a moment. Requests may have but one processor, together with it: the system takes it
 * from a thread only after several milliseconds, and all that come in meanwhile would wait.
 */
export function pauseWriter(): void {
  Atomics.wait(never, 0, 0, PAUSE_MS);
}
