import type { AnalyticsOrder } from './analytics-query.ts';
import { OTHER } from './rollup-dimensions.ts';

/** How much there is of one value, in one gateway or several. */
export interface ValueRank {
  value: string;
  rank: number;
  /** Rows of sums that had to be looked at. */
  rowCount: number;
}

/** What groups are ordered by. */
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

/** The greatest first; equals in the order of their values. */
export function compareRanks(
  one: { value: string; rank: number },
  other: { value: string; rank: number },
): number {
  return other.rank - one.rank || (one.value < other.value ? -1 : 1);
}

/** The values of a dimension by how much there is of them, in all gateways that are summed up. */
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
      // As the sums themselves stop growing.
      this.#ranks.set(value, Math.min(known + rank, Number.MAX_SAFE_INTEGER));
      this.#rowCount += rowCount;
    }
  }

  /**
   * The values that come first, if there are others.
   * @returns undefined when these are all
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
