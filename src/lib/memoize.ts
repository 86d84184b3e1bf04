import { LRUCache } from 'lru-cache';
import { upToEntries } from './cache-bound.ts';

/**
 * Remembers what a pure function returns for the most recently used texts.
 * @param maxTexts the number of texts whose results are kept; the caller bounds their length
 */
export function memoize<R>(maxTexts: number, compute: (text: string) => R): (text: string) => R {
  const results = new LRUCache<string, { result: R }>(upToEntries(maxTexts));
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known.result;
    const result = compute(text);
    results.set(text, { result });
    return result;
  };
}
