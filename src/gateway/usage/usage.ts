import type { AnswerFacts } from './answer-facts.ts';
import type { TokenKinds } from './token-kinds.ts';

/** The token counts of the provider; null: not reported. */
export interface Usage {
  /** All input, including the tokens that the provider read from or wrote to its cache. */
  tokensIn: number | null;
  tokensOut: number | null;
  /** Part of the input that the provider read from its cache. */
  cacheReadTokens: number | null;
  /** Part of the input that the provider wrote to its cache. */
  cacheWriteTokens: number | null;
  /** The part of the written tokens that is stored for an hour, which costs more. Left out: not reported. */
  cacheWriteHourTokens?: number;
  /** The tokens that are no text. Left out: not reported. */
  kinds?: TokenKinds;
  /** Undefined: the response has none. */
  facts?: AnswerFacts;
  /** Bytes of text in the response so far. Left out: the response is not JSON. */
  textBytes?: number;
}

export const UNKNOWN_USAGE: Usage = {
  tokensIn: null,
  tokensOut: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};
