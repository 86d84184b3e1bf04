/** The group of figures that a new spend rule is for, in the address of the page. */
export interface LimitSearch {
  /** `gateway`, a selector of a rule, or `metadata.` and a key. */
  limit_by?: string;
  limit_value?: string;
}

/** Reads it from the address; anything else is left out. */
export function parseLimitSearch(search: Record<string, unknown>): LimitSearch {
  const { limit_by: by, limit_value: value } = search;
  if (typeof by !== 'string') return {};
  // A value of digits alone is read as a number.
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return { limit_by: by, ...(typeof text === 'string' && { limit_value: text }) };
}
