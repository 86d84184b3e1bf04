import type { ApiError } from '../../http/errors.ts';
import { type CursorPage, cursorReply } from '../../http/paging.ts';
import type { Reply } from '../../http/route.ts';
import type { BriefOutcome } from '../write/tag-write.ts';
import type { BulkInput, BulkItem, BulkResult } from './bulk-schemas.ts';

/** What came of a write, as the answer tells it: without the tags, which may be many. */
export function outcomeItem(
  resource: { type: string; id: string },
  outcome: BriefOutcome,
): BulkItem {
  const named = { resource_type: resource.type, resource_id: resource.id };
  if ('refusal' in outcome) return refusedItem(named, outcome.refusal);
  const { etag } = outcome;
  return { ...named, success: true, changed: isChange(outcome), etag };
}

/** Whether a write has left anything other than it was. */
export function isChange(outcome: BriefOutcome | undefined): boolean {
  if (outcome === undefined || 'refusal' in outcome) return false;
  return outcome.isChanged || outcome.hasOtherFacts;
}

/** @param asked says which resource it is about, unless that was what was wrong */
export function refusedItem(asked: unknown, refusal: ApiError): BulkItem {
  return { ...namesOf(asked), success: false, errors: refusal.entries };
}

function namesOf(asked: unknown): Pick<BulkItem, 'resource_type' | 'resource_id'> {
  if (typeof asked !== 'object' || asked === null) return {};
  const { resource_type: type, resource_id: id } = asked as Record<string, unknown>;
  return {
    ...(typeof type === 'string' ? { resource_type: type } : {}),
    ...(typeof id === 'string' ? { resource_id: id } : {}),
  };
}

/**
 * The answer of a bulk request.
 * @param filter what the cursor is bound to, if there may be a next page
 */
export function bulkReply(
  { dry_run = false }: BulkInput,
  page: CursorPage<BulkItem>,
  filter?: unknown,
): Reply<BulkResult> {
  const { items: results } = page;
  const succeeded = results.filter(({ success }) => success);
  const result = {
    dry_run,
    succeeded: succeeded.length,
    failed: results.length - succeeded.length,
    unchanged: succeeded.filter(({ changed }) => changed === false).length,
    results,
  };
  return { ...cursorReply(page, filter), result };
}
