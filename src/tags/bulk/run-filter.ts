import { auditedBody } from '../write/audited-tags.ts';
import type { Reply } from '../../http/route.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { deniedGateways, holds } from '../../iam/principal.ts';
import { readPlaceCursor } from '../query/tag-cursors.ts';
import { type ResourceMatcher, matcherOf } from '../query/tag-match.ts';
import { searchResources } from '../query/tag-query.ts';
import type { TaggedResource } from '../store/tag-store.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { canonicalObject } from '../tag-set/canonical-object.ts';
import { givenFacts, givenPatch } from '../write/given-tags.ts';
import { NO_LONGER_MATCHES, type TagPatch, type BriefOutcome } from '../write/tag-write.ts';
import { bulkReply, outcomeItem } from './bulk-result.ts';
import { type BulkItem, type BulkResult, type FilterInput, MAX_ITEMS } from './bulk-schemas.ts';
import { type BulkRequest, type BulkWrite, carryOut } from './carry-out.ts';
import { readFilter } from './read-filter.ts';
import { MAX_STORED_BYTES } from './stored-size.ts';

// Of one request: on the embedded database nobody else writes meanwhile, and all are in memory.
const MAX_TAGS_WRITTEN = 20_000;
const MAX_BYTES_WRITTEN = 4 * 1024 * 1024;

/**
 * Merges tags into resources that match a filter: the first ones after the cursor. A resource that the
 * caller must not see, or not write to, does not match.
 */
export async function runFilter(
  services: TagOperationServices,
  bulk: BulkRequest,
  filter: FilterInput,
  tags: Readonly<Record<string, string | null>>,
): Promise<Reply<BulkResult>> {
  const { accountId, principal, body } = bulk;
  // The answer tells which resources match.
  if (!holds(principal, 'tags.read', { accountId })) throw forbidden('tags.read', principal);
  const wanted = readFilter(filter, services.resourceTypes);
  const patch = givenPatch(tags);
  const { dry_run: isDryRun = false, limit = MAX_ITEMS } = body;
  const canonical = canonicalObject(patch);
  const cursorFilter = { list: 'bulk-tags', accountId, ...wanted, patch: canonical, isDryRun };
  const after = readPlaceCursor(body, cursorFilter);
  // Not part of the cursor: it stays valid when they change.
  const hiddenGateways = [
    ...deniedGateways(principal, 'tags.read', accountId),
    ...deniedGateways(principal, 'tags.write', accountId),
  ];
  const query = { ...wanted, hiddenGateways };
  const { resources, next } = await searchResources(services.database.read, accountId, query, {
    after,
    limit: Math.ceil(
      Math.min(
        limit,
        MAX_TAGS_WRITTEN / patch.size,
        MAX_BYTES_WRITTEN / Buffer.byteLength(canonical),
      ),
    ),
    maxBytes: MAX_STORED_BYTES,
  });
  const matches = matcherOf(query);
  const writes = resources.map((resource) => mergeInto(resource, patch, matches, bulk));
  return carryOut(services, bulk, {
    writes,
    replyTo(outcomes) {
      const items = itemsOf(resources, outcomes);
      const page = { items, next: next === undefined ? undefined : [next] };
      return bulkReply(body, page, cursorFilter);
    },
  });
}

/** Another request may have written since the search: whatever matches no longer is left as it is. */
function mergeInto(
  { accountId, type, id }: TaggedResource,
  patch: TagPatch,
  onlyIf: ResourceMatcher,
  { request, body }: BulkRequest,
): BulkWrite {
  const named = { resource_type: type, resource_id: id };
  return {
    write: {
      operation: 'patch',
      resource: { accountId, type, id },
      ifMatch: undefined,
      onlyIf,
      requestId: request.id,
      facts: givenFacts({}),
      patch,
    },
    asked: auditedBody({ ...named, tags: body.tags ?? {} }, patch.size),
  };
}

/** A resource that matches no longer is none of those that were asked for. */
function itemsOf(
  resources: readonly TaggedResource[],
  outcomes: readonly BriefOutcome[],
): BulkItem[] {
  return resources.flatMap((resource, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('a resource has no outcome');
    const isGone = 'refusal' in outcome && outcome.refusal === NO_LONGER_MATCHES;
    return isGone ? [] : [outcomeItem(resource, outcome)];
  });
}
