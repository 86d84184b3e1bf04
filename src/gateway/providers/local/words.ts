import type { Usage } from '../../usage/usage.ts';

/** The words of a text count as its tokens. */
export function countTokens(text: string): number {
  let count = 0;
  for (const _word of text.matchAll(/\S+/g)) count++;
  return count;
}

/** The pieces in which a text is streamed: each word with the white space before it. */
export function* piecesOf(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\s*\S+|\s+$/g)) yield piece;
}

/** Tokens of a request and of its answer; there is no cache. */
export function usageOf(tokensIn: number, tokensOut: number): Usage {
  return { tokensIn, tokensOut, cacheReadTokens: null, cacheWriteTokens: null };
}
