/** What counting-upstream.ts has told of the tokens of a request, in the words of the gateway's log. */
export interface ServedUsage {
  /** Of the request, as its text names it. */
  id: string;
  model: string;
  tokensIn: number;
  tokensOut: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
}
