import type { Bins } from './analytics-query.ts';

/**
 * Histograms of milliseconds with bins of constant relative width (as in "DDSketch", VLDB 2019): a percentile has an error of
 * at most 5 %, regardless of the tail. A histogram is the list of its non-empty bins in order, each followed by its count:
 * `[bin, count, bin, count, …]`.
 */

/** The ratio of the end of a bin to its start. Its middle differs from each value in it by at most 4.8 %. */
const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);
// Longer than the maximum of a column of milliseconds, 24 days.
const MAX_BIN = 1 + Math.ceil(Math.log(2 ** 31) / LOG_GROWTH);

/** Returns the bin of a whole number of milliseconds. 0 has a separate bin. */
export function binOf(ms: number): number {
  if (ms < 1) return 0;
  return Math.min(MAX_BIN, 1 + Math.ceil(Math.log(ms) / LOG_GROWTH));
}

/** Returns the value that represents a bin, in milliseconds. Rounding it would add an error. */
function middleOf(bin: number): number {
  if (bin === 0) return 0;
  return Math.round((20 * GROWTH ** (bin - 1)) / (GROWTH + 1)) / 10;
}

/** Counts one more in a bin. */
export function countInBin(bins: number[], bin: number): void {
  let low = 0;
  let high = bins.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bins[2 * middle] ?? 0) < bin) low = middle + 1;
    else high = middle;
  }
  const at = 2 * low;
  if (bins[at] === bin) bins[at + 1] = (bins[at + 1] ?? 0) + 1;
  else bins.splice(at, 0, bin, 1);
}

/** Adds the counts of another histogram. */
export function addBins(bins: number[], more: Bins): void {
  let at = 0;
  for (let i = 0; i < more.length; i += 2) {
    const bin = more[i] ?? 0;
    const count = more[i + 1] ?? 0;
    // Both are in order, and mostly have the same bins.
    while (at < bins.length && (bins[at] ?? 0) < bin) at += 2;
    if (bins[at] === bin) bins[at + 1] = (bins[at + 1] ?? 0) + count;
    else bins.splice(at, 0, bin, count);
  }
}

/** Sums up many histograms. */
export function sumOfBins(all: readonly Bins[]): Bins {
  const counts: number[] = [];
  for (const bins of all) {
    for (let i = 0; i < bins.length; i += 2) {
      const bin = bins[i] ?? 0;
      counts[bin] = (counts[bin] ?? 0) + (bins[i + 1] ?? 0);
    }
  }
  // Skips empty bins, which are holes of the array.
  const sum: number[] = [];
  counts.forEach((count, bin) => sum.push(bin, count));
  return sum;
}

/** Subtracts a histogram from another one that includes it. */
export function withoutBins(all: Bins, part: Bins): Bins {
  const counts = new Map<number, number>();
  for (let i = 0; i < part.length; i += 2) counts.set(part[i] ?? 0, part[i + 1] ?? 0);
  const left: number[] = [];
  for (let i = 0; i < all.length; i += 2) {
    const bin = all[i] ?? 0;
    const count = (all[i + 1] ?? 0) - (counts.get(bin) ?? 0);
    if (count > 0) left.push(bin, count);
  }
  return left;
}

/**
 * Returns a percentile in milliseconds by the nearest rank.
 * @param part 0.95 for the 95th percentile
 * @returns null for an empty histogram
 */
export function percentileOf(bins: Bins, part: number): number | null {
  let total = 0;
  for (let i = 1; i < bins.length; i += 2) total += bins[i] ?? 0;
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(part * total));
  for (let i = 0; i < bins.length; i += 2) {
    left -= bins[i + 1] ?? 0;
    if (left <= 0) return middleOf(bins[i] ?? 0);
  }
  return null;
}
