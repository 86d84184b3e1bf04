import { type ListedResource, type ResourcePage, readResources } from '../../../api/tags.ts';
import type { TagQuery } from '../../../lib/tag-query.ts';

/** How many resources a file may have; who wants more asks the API. */
export const MOST_EXPORTED = 10_000;
const PER_REQUEST = 1_000;

/** All that match a query, as far as a file may have them. */
export async function readAll(
  accountId: string,
  query: TagQuery,
  signal: AbortSignal,
): Promise<{ resources: ListedResource[]; isWhole: boolean }> {
  const resources: ListedResource[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(PER_REQUEST, MOST_EXPORTED - resources.length);
    const page: ResourcePage = await readResources(accountId, query, { cursor, limit, signal });
    resources.push(...page.resources);
    cursor = page.next;
  } while (cursor !== undefined && resources.length < MOST_EXPORTED);
  return { resources, isWhole: cursor === undefined };
}
