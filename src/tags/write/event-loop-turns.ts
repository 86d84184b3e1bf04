import { setImmediate as nextTurn } from 'node:timers/promises';

// A set has as many tags as fit into a body, some 60,000. Whatever goes over all of them is done in
// parts, between which other requests get their turn.

/** Tags that one statement writes: on the embedded database it then takes a few ms. */
const TAGS_PER_STATEMENT = 100;

/** Going over so many tags in memory takes less than 2 ms. */
const LARGE_SET = 2_000;

/** The items in groups that one statement takes. */
export async function* inChunks<T>(
  items: readonly T[],
  size = TAGS_PER_STATEMENT,
): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + size);
  }
}

/** The same for work in memory alone. */
export function inLargeChunks<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  return inChunks(items, LARGE_SET);
}

/** Stands between two steps over all tags of a set that cannot be divided themselves. */
export async function pauseIfLarge(tagCount: number): Promise<void> {
  if (tagCount >= LARGE_SET) await nextTurn();
}
