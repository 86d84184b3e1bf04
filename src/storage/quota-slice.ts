// Of what is left, one node gets at most that part at once: what a crash or an idle node loses gets
// smaller as the end comes near.
export const LARGEST_PART = 8;

// More than any limit; sums of units end there, so that they can always be counted exactly.
export const MOST_UNITS = 2 ** 52;

/** How many units to lease. */
export interface LeaseSize {
  /** Units that somebody waits for: leased whole as long as there are so many. */
  need: number;
  /** Units that the node has use for; not below `need`. */
  most: number;
}

/** How many units a node gets of those that are left. */
export function sliceOf(left: number, { need, most }: LeaseSize): number {
  const part = Math.floor(left / LARGEST_PART);
  return Math.max(0, Math.min(left, Math.max(need, Math.min(most, part))));
}
