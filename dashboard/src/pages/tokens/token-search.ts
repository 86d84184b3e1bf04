/** What the address of a list of tokens tells: which part of it is looked at. */
export interface TokenSearch {
  /** From 2 on. */
  page?: number;
  order?: 'oldest';
  expired?: 'shown';
}

/** Takes from an address what there is; what nobody knows is left out. */
export function parseTokenSearch({ page, order, expired }: Record<string, unknown>): TokenSearch {
  return {
    ...(typeof page === 'number' && page > 1 && { page: Math.trunc(page) }),
    ...(order === 'oldest' && { order }),
    ...(expired === 'shown' && { expired }),
  };
}
