import type { TagQuery } from '../lib/tag-query.ts';
import { api, bodyOf } from './client.ts';
import { type ResourceRef, type TaggedResource, resourceOf, untagged } from './resource-tags.ts';
import type { paths } from './schema.d.ts';
import { type PageRange, readResources, wireQuery } from './tags.ts';

const BULK = '/accounts/{account_id}/tags/bulk';

/** Which resources are changed together. */
export interface BulkQuery extends TagQuery {
  /** Every tagged resource; stands alone. */
  all?: true;
}

/** The filter of a bulk change. */
export function bulkFilter(query: BulkQuery): NonNullable<BulkBody['filter']> {
  return query.all === true ? { all: true } : wireQuery(query);
}

/** One part of a list of tagged resources. */
export async function listTagged(
  accountId: string,
  query: TagQuery,
  range: PageRange,
): Promise<{ resources: TaggedResource[]; next: string | undefined }> {
  const { resources, next } = await readResources(accountId, query, range);
  return { resources: resources.map(resourceOf), next };
}

// As many as one request may name, and as one answer may have.
const MOST_IDS = 50;
const MOST_AT_ONCE = 1_000;

/** The tags of resources that are named; one without tags has none. */
export async function readTagged(
  accountId: string,
  refs: readonly ResourceRef[],
  signal: AbortSignal,
): Promise<TaggedResource[]> {
  const found = new Map<string, TaggedResource>();
  for (let start = 0; start < refs.length; start += MOST_IDS) {
    const part = refs.slice(start, start + MOST_IDS);
    const type = [...new Set(part.map((ref) => ref.type))];
    const id = [...new Set(part.map((ref) => ref.id))];
    let cursor: string | undefined;
    do {
      const range = { cursor, limit: MOST_AT_ONCE, signal };
      const page = await listTagged(accountId, { type, id }, range);
      for (const resource of page.resources) found.set(nameOf(resource), resource);
      cursor = page.next;
    } while (cursor !== undefined);
  }
  return refs.map((ref) => found.get(nameOf(ref)) ?? untagged(ref));
}

function nameOf({ type, id }: ResourceRef): string {
  return `${type}/${id}`;
}

type BulkPath = paths[typeof BULK]['post'];

/** Many changes in one request. */
export type BulkBody = NonNullable<BulkPath['requestBody']>['content']['application/json'];

type BulkAnswer = BulkPath['responses'][200]['content']['application/json']['result'];

/** What became of one resource of a bulk change. */
export type BulkItem = BulkAnswer['results'][number];

/** Sends one part of a bulk change. With the same key twice, it is done once. */
export async function sendBulk(
  accountId: string,
  body: BulkBody,
  { idempotencyKey, signal }: { idempotencyKey?: string | undefined; signal: AbortSignal },
): Promise<{ items: BulkItem[]; next: string | undefined }> {
  const params = { path: { account_id: accountId } };
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const answer = await bodyOf(api.POST(BULK, { params, headers, body, signal }));
  return { items: answer.result.results, next: answer.result_info.cursors?.after };
}
