/** Costs are kept in billionths of a US dollar. */
export const NANO_USD_PER_USD = 1e9;
