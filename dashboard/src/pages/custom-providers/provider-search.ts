/** What the address of the list of custom providers tells: which part of it is looked at. */
export interface ProviderSearch {
  /** From 2 on. */
  page?: number;
  search?: string;
  show?: 'on' | 'off';
}

/** Takes from an address what there is; what nobody knows is left out. */
export function parseProviderSearch({
  page,
  search,
  show,
}: Record<string, unknown>): ProviderSearch {
  return {
    ...(typeof page === 'number' && page > 1 && { page: Math.trunc(page) }),
    ...((typeof search === 'string' || typeof search === 'number') && { search: String(search) }),
    ...((show === 'on' || show === 'off') && { show }),
  };
}
