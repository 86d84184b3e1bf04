import type { Bins } from './analytics-query.ts';

/**
 * Histograms of milliseconds with bins that grow with what they hold (as in "DDSketch", VLDB 2019):
 * a percentile is never off by more than 5 %, however long the tail. A histogram is the list of its
 * bins that hold anything, in order, each followed by its count: `[bin, count, bin, count, …]`.
 */

/** A bin ends at so many times its begin, which keeps its middle within 4.8 % of all that is in it. */
const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);
// Beyond what a column of milliseconds holds: 24 days.
const MAX_BIN = 1 + Math.ceil(Math.log(2 ** 31) / LOG_GROWTH);

/** The bin of a whole number of milliseconds; 0 has one of its own. */
export function binOf(ms: number): number {
  if (ms < 1) return 0;
  return Math.min(MAX_BIN, 1 + Math.ceil(Math.log(ms) / LOG_GROWTH));
}

/** What stands for all that is in a bin, in milliseconds. To round it to whole ones would be an error of its own. */
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
    // Both are in order, and mostly of the same bins.
    while (at < bins.length && (bins[at] ?? 0) < bin) at += 2;
    if (bins[at] === bin) bins[at + 1] = (bins[at + 1] ?? 0) + count;
    else bins.splice(at, 0, bin, count);
  }
}

/** The counts of many histograms together. */
export function sumOfBins(all: readonly Bins[]): Bins {
  const counts: number[] = [];
  for (const bins of all) {
    for (let i = 0; i < bins.length; i += 2) {
      const bin = bins[i] ?? 0;
      counts[bin] = (counts[bin] ?? 0) + (bins[i + 1] ?? 0);
    }
  }
  // Whatever is in no bin is a hole, and passed over.
  const sum: number[] = [];
  counts.forEach((count, bin) => sum.push(bin, count));
  return sum;
}

/** The counts of a histogram without those of another, which are among them. */
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
 * The least time, in milliseconds, that so large a part of all does not exceed: by the nearest rank.
 * @param part 0.95 for the 95th percentile
 * @returns null when nothing was counted
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
