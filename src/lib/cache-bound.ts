/** How much an LRUCache may hold. */
export interface CacheBound<V> {
  maxSize: number;
  sizeCalculation: (value: V) => number;
}

/**
 * The options of an LRUCache of so many entries that takes memory as it fills: with its own option
 * `max` it makes room for all of them at once, which costs a start time and memory.
 */
export function upToEntries(maxEntries: number): CacheBound<unknown> {
  return { maxSize: maxEntries, sizeCalculation: () => 1 };
}

/**
 * The same for entries of which some are far larger than others.
 * @param bytesOf about so much memory does an entry take
 */
export function upToBytes<V>(
  maxEntries: number,
  maxBytes: number,
  bytesOf: (value: V) => number,
): CacheBound<V> {
  // Entries that weigh at least so much cannot be more than `maxEntries`.
  const leastBytes = Math.ceil(maxBytes / maxEntries);
  return {
    maxSize: maxBytes,
    sizeCalculation: (value) => Math.max(leastBytes, bytesOf(value)),
  };
}
