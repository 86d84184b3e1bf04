import { firstOf, type ResponseHeaders } from '../http-headers.ts';
import type { UsageReader } from './usage-reader.ts';

const INPUT = 'x-amzn-bedrock-input-token-count';
const OUTPUT = 'x-amzn-bedrock-output-token-count';

/**
 * Returns a reader that uses the counts in the headers if the body contains none. Bedrock sends them for all models, and some
 * models, such as those for embeddings, report no usage in the body.
 * @returns the reader itself if the headers contain no counts
 */
export function withHeaderUsage(reader: UsageReader, headers: ResponseHeaders): UsageReader {
  const tokensIn = countIn(headers, INPUT);
  const tokensOut = countIn(headers, OUTPUT);
  if (tokensIn === null && tokensOut === null) return reader;
  return {
    feed: (chunk) => reader.feed(chunk),
    failure: () => reader.failure?.(),
    isComplete: () => reader.isComplete?.() === true,
    read() {
      const usage = reader.read();
      const isTold = usage.tokensIn !== null || usage.tokensOut !== null;
      return isTold ? usage : { ...usage, tokensIn, tokensOut };
    },
  };
}

function countIn(headers: ResponseHeaders, name: string): number | null {
  const value = firstOf(headers[name]) ?? '';
  return /^\d{1,12}$/.test(value) ? Number(value) : null;
}
