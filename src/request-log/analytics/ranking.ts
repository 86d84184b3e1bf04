import type { AnalyticsOrder } from './analytics-query.ts';
import { OTHER } from '../rollups/rollup-dimensions.ts';

/** The rank of one value, in one gateway or several. */
export interface ValueRank {
  value: string;
  rank: number;
  /** Number of rows of sums that were read. */
  rowCount: number;
}

/** The order of groups. */
export function rankOf(
  sums: Record<'requests' | 'errors' | 'costNanoUsd' | 'tokensIn' | 'tokensOut', number>,
  orderBy: AnalyticsOrder,
): number {
  switch (orderBy) {
    case 'requests':
      return sums.requests;
    case 'errors':
      return sums.errors;
    case 'cost':
      return sums.costNanoUsd;
    case 'tokens':
      return sums.tokensIn + sums.tokensOut;
  }
}

/** Compares by rank, the largest first, and then by value. */
export function compareRanks(
  one: { value: string; rank: number },
  other: { value: string; rank: number },
): number {
  return other.rank - one.rank || (one.value < other.value ? -1 : 1);
}

/** Ranks the values of a dimension over all gateways of a query. */
export class Ranking {
  readonly #ranks = new Map<string, number>();
  #rowCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  get valueCount(): number {
    return this.#ranks.size;
  }

  /** @param ranks of one gateway */
  add(ranks: readonly ValueRank[]): void {
    for (const { value, rank, rowCount } of ranks) {
      const known = this.#ranks.get(value) ?? 0;
      // The sums stop growing in the same way.
      this.#ranks.set(value, Math.min(known + rank, Number.MAX_SAFE_INTEGER));
      this.#rowCount += rowCount;
    }
  }

  /**
   * Returns the first values, if there are others.
   * @returns undefined if these are all values
   */
  firstOf(limit: number): string[] | undefined {
    const named = [...this.#ranks].filter(([value]) => value !== OTHER);
    if (named.length <= limit) return undefined;
    return named
      .map(([value, rank]) => ({ value, rank }))
      .toSorted(compareRanks)
      .slice(0, limit)
      .map(({ value }) => value);
  }
}
