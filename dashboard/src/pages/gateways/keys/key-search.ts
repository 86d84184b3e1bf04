/** What the address of the keys of a gateway tells. */
export interface KeySearch {
  /** A key is about to be added for this provider, or for one that is chosen yet. */
  add?: string;
}

/** The provider is still to be chosen. */
export const ANY_PROVIDER = 'any';

/** Takes from an address what there is; what nobody knows is left out. */
export function parseKeySearch({ add }: Record<string, unknown>): KeySearch {
  return typeof add === 'string' && add !== '' ? { add } : {};
}
