/** Tokens as the provider counted them; null where it did not say. */
export interface Usage {
  /** All input, with what the provider read from or wrote to its cache. */
  tokensIn: number | null;
  tokensOut: number | null;
  /** Part of the input that the provider read from its cache. */
  cacheReadTokens: number | null;
  /** Part of the input that the provider wrote to its cache. */
  cacheWriteTokens: number | null;
}

export const UNKNOWN_USAGE: Usage = {
  tokensIn: null,
  tokensOut: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};
