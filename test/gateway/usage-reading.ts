import { createUsageReader } from '../../src/gateway/usage/usage-reader.ts';

/** What is to be read; counts left out are unknown. */
export type Expected = [
  tokensIn: number | null,
  tokensOut: number | null,
  cacheRead?: number | null,
  cacheWrite?: number | null,
];

/** What a reader for that content type finds in these chunks. */
export function read(type: string | undefined, ...chunks: (Buffer | string)[]): Expected {
  const reader = createUsageReader(type);
  for (const chunk of chunks) reader.feed(Buffer.from(chunk));
  const { tokensIn, tokensOut, cacheReadTokens, cacheWriteTokens } = reader.read();
  return [tokensIn, tokensOut, cacheReadTokens, cacheWriteTokens];
}

/** With the counts that were left out. */
export const full = ([
  tokensIn,
  tokensOut,
  cacheRead = null,
  cacheWrite = null,
]: Expected): Expected => [tokensIn, tokensOut, cacheRead, cacheWrite];
export const UNKNOWN = full([null, null]);

/** One server-sent event. */
export const event = (data: unknown, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
