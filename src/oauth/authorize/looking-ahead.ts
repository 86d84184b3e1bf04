import type { RequestFacts } from '../../http/route.ts';
import type { PageReply } from '../../iam/pages/page.ts';
import { lookingAheadPage } from './refusal-page.ts';

// The first is that of the Fetch standard; the others are those of older browsers.
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Answers whoever has not decided to come: a HEAD of something that scans links, or a browser that
 * fetches ahead. A GET may issue a code, which neither of them is for.
 * @returns undefined for everybody else
 */
export function replyToLookingAhead({ method, headers }: RequestFacts): PageReply | undefined {
  if (method === 'HEAD') return lookingAheadPage(200);
  const isPrefetch = PURPOSES.some((name) => /prefetch|preview/i.test(String(headers[name])));
  // Browsers throw away what fails, and ask again when the person comes.
  return isPrefetch ? lookingAheadPage(503) : undefined;
}
