import type { RequestFacts } from '../../http/route.ts';
import type { PageReply } from '../../iam/pages/page.ts';
import { lookingAheadPage } from './refusal-page.ts';

/**
 * Answers whoever has not decided to come: a HEAD of something that scans links, or a browser that
 * fetches ahead. A GET may issue a code, which neither of them is for.
 * @returns undefined for everybody else
 */
export function replyToLookingAhead({ method, headers }: RequestFacts): PageReply | undefined {
  if (method === 'HEAD') return lookingAheadPage(200);
  const purpose = headers['sec-purpose'] ?? headers['x-purpose'] ?? headers.purpose ?? '';
  const isPrefetch = /prefetch|prerender|preview/i.test(String(purpose));
  // Browsers throw away what fails, and ask again when the person comes.
  return isPrefetch ? lookingAheadPage(503) : undefined;
}
