import type { Callers } from '../../../api/gateway-activity.ts';
import { formatCount } from '../../../lib/figures.ts';
import { labels } from './labels.ts';

/** "About 1,200 of 40,000 requests", or "All 12 requests": a part of those who called lately. */
export function partOfRequests(part: number, { requests, isEstimated }: Callers): string {
  const all = part === requests;
  const words = all
    ? `all ${formatCount(requests)} requests`
    : labels.ofRequests(formatCount(part), formatCount(requests));
  const told = isEstimated ? `about ${words}` : words;
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** Looks up, in the log, those without a token. */
export const SEARCH_UNKNOWN = { f: 'token_id.eq. user_id.eq.', range: '24h' } as const;
