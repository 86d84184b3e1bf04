import { setImmediate as nextTurn } from 'node:timers/promises';

// A bulk request changes up to 20,000 tags, and a search reads any number of rows. Both work in parts, between which
// the event loop serves other requests.

/** Rows that one statement writes: on the embedded database it then takes a few ms. */
const ROWS_PER_STATEMENT = 100;

/** Items that are processed in memory in less than 2 ms. */
const LARGE_LIST = 2_000;

/** The items in groups that one statement takes. */
export async function* inChunks<T>(
  items: readonly T[],
  size = ROWS_PER_STATEMENT,
): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + size);
  }
}

/**
 * The same for items of any size: a group has more than one only while their sizes together are not above
 * the limit.
 */
export async function* inSizedChunks<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxSize: number,
): AsyncGenerator<readonly T[]> {
  let chunk: T[] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (chunk.length > 0 && (total + size > maxSize || chunk.length === ROWS_PER_STATEMENT)) {
      yield chunk;
      await nextTurn();
      chunk = [];
      total = 0;
    }
    chunk.push(item);
    total += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** The same for work in memory alone. */
export function inLargeChunks<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  return inChunks(items, LARGE_LIST);
}

/**
 * The items sorted; the default order is that of code units. Each part by itself first: to merge sorted
 * parts, which is how the engine sorts, takes little.
 */
export async function sortInTurns<T>(
  items: readonly T[],
  compare?: (a: T, b: T) => number,
): Promise<T[]> {
  if (items.length <= LARGE_LIST) return items.toSorted(compare);
  const parts: T[] = [];
  for await (const chunk of inLargeChunks(items)) parts.push(...chunk.toSorted(compare));
  await nextTurn();
  return parts.sort(compare);
}

/** Lets other requests run between two indivisible steps over a long list. */
export async function pauseIfLarge(length: number): Promise<void> {
  if (length >= LARGE_LIST) await nextTurn();
}
