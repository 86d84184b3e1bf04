import type { AnswerFacts } from './answer-facts.ts';
import type { TokenKinds } from './token-kinds.ts';

/** Tokens as the provider counted them; null where it did not say. */
export interface Usage {
  /** All input, with what the provider read from or wrote to its cache. */
  tokensIn: number | null;
  tokensOut: number | null;
  /** Part of the input that the provider read from its cache. */
  cacheReadTokens: number | null;
  /** Part of the input that the provider wrote to its cache. */
  cacheWriteTokens: number | null;
  /** Part of those that were written: to be kept for an hour, which costs more. Left out: none are told. */
  cacheWriteHourTokens?: number;
  /** Parts of all these that are no text. Left out: none are told. */
  kinds?: TokenKinds;
  /** Undefined: the response has none. */
  facts?: AnswerFacts;
  /** Bytes of the text that the answer contains so far. Left out: it is not JSON. */
  textBytes?: number;
}

export const UNKNOWN_USAGE: Usage = {
  tokensIn: null,
  tokensOut: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};
