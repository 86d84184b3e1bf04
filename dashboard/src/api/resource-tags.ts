import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, resultOf } from './client.ts';
import { ApiFailure } from './failure.ts';
import { queryClient } from './query-client.ts';
import { type ListedResource, tagsKey } from './tags.ts';
import type { AuditRow } from './audit-log.ts';
import { serverNow } from '../lib/server-time.ts';

const ONE = '/accounts/{account_id}/tags';
const AUDIT = '/accounts/{account_id}/logs/audit';

/** Tags by key. A map, for `__proto__` is a key like any other. */
export type TagMap = ReadonlyMap<string, string>;

/** What becomes of tags, as the API takes it (RFC 7396): null takes one away. */
export type TagPatch = Readonly<Record<string, string | null>>;

/** How a resource is named. */
export interface ResourceRef {
  type: string;
  id: string;
  /** Of a `worker_version`: its worker. */
  workerId?: string | undefined;
}

/** A resource with its tags. */
export interface TaggedResource extends ResourceRef {
  name: string;
  etag: string;
  tags: TagMap;
  zoneId?: string | undefined;
  accessApplicationId?: string | undefined;
  /** Undefined for one that has no tags. */
  updatedAt: string | undefined;
}

/** The ETag of a resource without tags: naming it means "only if there is nothing yet". */
const EMPTY_ETAG = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

/** What the API answers for a resource that has no tags, with one of two statuses. */
const NOT_TAGGED = 1004;

/** What a write is refused with when somebody else has written since. */
const PRECONDITION_FAILED = 1016;

/** Whether something was refused because the tags are others than one has seen. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === PRECONDITION_FAILED;
}

/** A resource as it was told. */
export function resourceOf(listed: ListedResource): TaggedResource {
  return {
    type: listed.type,
    id: listed.id,
    name: listed.name,
    etag: listed.etag,
    tags: new Map(Object.entries(listed.tags)),
    workerId: listed.worker_id,
    zoneId: listed.zone_id,
    accessApplicationId: listed.access_application_id,
    updatedAt: listed.tags_updated_at,
  };
}

/** A resource as it is before it is tagged. */
export function untagged(ref: ResourceRef): TaggedResource {
  return { ...ref, name: ref.id, etag: EMPTY_ETAG, tags: new Map(), updatedAt: undefined };
}

/** How requests name a resource. */
export function wireRef({ type, id, workerId }: ResourceRef) {
  return {
    resource_type: type,
    resource_id: id,
    ...(workerId !== undefined && { worker_id: workerId }),
  };
}

/** The tags of one resource; one that was never tagged has none. */
export const resourceTagsQuery = (accountId: string, ref: ResourceRef) =>
  queryOptions({
    // An id has one worker at most.
    queryKey: [...tagsKey(accountId), 'resource', ref.type, ref.id],
    queryFn: async ({ signal }) => {
      const params = { path: { account_id: accountId }, query: wireRef(ref) };
      try {
        return resourceOf(await resultOf(api.GET(ONE, { signal, params })));
      } catch (error) {
        if (error instanceof ApiFailure && error.code === NOT_TAGGED) return untagged(ref);
        throw error;
      }
    },
  });

/** Reads the tags of a resource once more: somebody else has changed them. */
export function readTagsAnew(accountId: string, ref: ResourceRef): Promise<TaggedResource> {
  return queryClient.fetchQuery({ ...resourceTagsQuery(accountId, ref), staleTime: 0 });
}

/** What is told of a resource beside its tags, where it lives elsewhere. */
export interface ResourceFacts {
  name?: string | undefined;
  zoneId?: string | undefined;
  accessApplicationId?: string | undefined;
}

/** The request that merges a patch into the tags as they were seen. */
export function tagsRequest(seen: TaggedResource, patch: TagPatch, facts: ResourceFacts = {}) {
  const { name, zoneId, accessApplicationId } = facts;
  const body = {
    ...wireRef(seen),
    tags: patch,
    ...(name !== undefined && { name }),
    ...(zoneId !== undefined && { zone_id: zoneId }),
    ...(accessApplicationId !== undefined && { access_application_id: accessApplicationId }),
  };
  return { body, ifMatch: `"${seen.etag}"` };
}

/**
 * Changes tags of one resource, unless somebody else has changed them since they were seen.
 * @throws ApiFailure 1016 then, see {@link isConflict}
 */
export async function changeTags(
  accountId: string,
  seen: TaggedResource,
  patch: TagPatch,
  facts?: ResourceFacts,
): Promise<TaggedResource> {
  const { body, ifMatch } = tagsRequest(seen, patch, facts);
  const params = { path: { account_id: accountId } };
  const headers = { 'if-match': ifMatch };
  const changed = resourceOf(await resultOf(api.PATCH(ONE, { params, headers, body })));
  const now = changed.tags.size === 0 ? { ...changed, updatedAt: undefined } : changed;
  await noteTags(accountId, now);
  return now;
}

/** Takes all tags of one resource away, unless somebody has changed them since they were seen. */
export async function removeAllTags(
  accountId: string,
  seen: TaggedResource,
): Promise<TaggedResource> {
  const params = { path: { account_id: accountId } };
  const headers = { 'if-match': `"${seen.etag}"` };
  await api.DELETE(ONE, { params, headers, body: wireRef(seen) });
  const { type, id, workerId } = seen;
  const now = untagged({ type, id, workerId });
  await noteTags(accountId, now);
  return now;
}

/** Shows the tags as they are now, and looks again at all that was made of them. */
async function noteTags(accountId: string, now: TaggedResource): Promise<void> {
  const { queryKey } = resourceTagsQuery(accountId, now);
  // What is being read may be older.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, now);
  void queryClient.invalidateQueries({
    queryKey: tagsKey(accountId),
    predicate: (query) => query.queryHash !== JSON.stringify(queryKey),
  });
}

/** Looks again at everything about the tags of an account, as after a change of many. */
export function refreshTags(accountId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: tagsKey(accountId) });
}

// The log is kept for ever; both ends are required.
const BEGINNING = '2000-01-01T00:00:00Z';
// The clocks of several nodes differ.
const TOLERANCE_MS = 60_000;
/** How many entries a page of history has at most. */
export const HISTORY_ROWS = 50;

/**
 * What was done to the tags of a resource, by the audit log: the newest first, page by page. Nobody has written
 * them after the time that the resource tells, so that the log need not be searched there.
 */
export const tagHistoryQuery = (accountId: string, { type, id, updatedAt }: TaggedResource) =>
  infiniteQueryOptions({
    queryKey: [...tagsKey(accountId), 'history', type, id, updatedAt ?? ''],
    placeholderData: keepPreviousData,
    // It copies what is new, and would lose a tag that is called `__proto__`.
    structuralSharing: false,
    initialPageParam: undefined as { cursor: string; before: string } | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const lastMs = updatedAt === undefined ? serverNow() : Date.parse(updatedAt);
      // A cursor holds for the very window that it was made in.
      const before = pageParam?.before ?? new Date(lastMs + TOLERANCE_MS).toISOString();
      const query = {
        since: BEGINNING,
        before,
        limit: HISTORY_ROWS,
        resource_type: [type],
        resource_id: [id],
        resource_product: ['tags'],
        action_result: ['success'],
        ...(pageParam !== undefined && { cursor: pageParam.cursor }),
      };
      const params = { path: { account_id: accountId }, query };
      const { result, result_info: info } = await bodyOf(api.GET(AUDIT, { signal, params }));
      const rows: AuditRow[] = result;
      return { rows, before, next: info.cursors?.after };
    },
    getNextPageParam: ({ next, before }) =>
      next === undefined ? undefined : { cursor: next, before },
  });
