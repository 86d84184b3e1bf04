import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TagQuery } from '../lib/tag-query.ts';
import { api, bodyOf, resultOf } from './client.ts';
import type { paths } from './schema.d.ts';

const RESOURCES = '/accounts/{account_id}/tags/resources';
const SUMMARY = '/accounts/{account_id}/tags/summary';

type ResultOf<Path extends typeof RESOURCES | typeof SUMMARY> =
  paths[Path]['get']['responses'][200]['content']['application/json']['result'];

/** A resource with its tags, as lists tell it. */
export type ListedResource = ResultOf<typeof RESOURCES>[number];

/** A key with its first values, and on how many resources each is. */
export type KeySummary = ResultOf<typeof SUMMARY>[number];

/** Under which all that depends on the tags of an account is remembered. */
export function tagsKey(accountId: string): readonly string[] {
  return ['accounts', accountId, 'tags'];
}

/** A query as lists and bulk changes take it. Arrays of the API's types can be written to; ours cannot. */
export function wireQuery({ tag, type, id, name, case_insensitive: isCaseless }: TagQuery) {
  return {
    ...(tag && { tag: [...tag] }),
    ...(type && { type: [...type] }),
    ...(id && { id: [...id] }),
    ...(name !== undefined && { name }),
    ...(isCaseless && { case_insensitive: isCaseless }),
  };
}

/** One page of resources, and where the next one begins. */
export interface ResourcePage {
  resources: ListedResource[];
  next: string | undefined;
}

/** Which part of a list. */
export interface PageRange {
  /** Undefined: the first page. */
  cursor?: string | undefined;
  limit?: number;
  signal: AbortSignal;
}

/** Reads one page of resources. */
export async function readResources(
  accountId: string,
  query: TagQuery,
  { cursor, limit, signal }: PageRange,
): Promise<ResourcePage> {
  const range = { ...(cursor !== undefined && { cursor }), ...(limit !== undefined && { limit }) };
  const { result, result_info: info } = await bodyOf(
    api.GET(RESOURCES, {
      signal,
      params: { path: { account_id: accountId }, query: { ...wireQuery(query), ...range } },
    }),
  );
  return { resources: result, next: info.cursors?.after };
}

/** How many resources are shown at once. */
export const RESOURCES_PER_PAGE = 50;

/** Resources that match, a page of them. */
export const taggedResourcesQuery = (accountId: string, query: TagQuery, cursor?: string) =>
  queryOptions({
    queryKey: [...tagsKey(accountId), 'resources', query, cursor ?? ''],
    // What was shown stays until the next answer is there.
    placeholderData: keepPreviousData,
    // It copies what is new, and would lose a tag that is called `__proto__`.
    structuralSharing: false,
    queryFn: ({ signal }) =>
      readResources(accountId, query, { cursor, limit: RESOURCES_PER_PAGE, signal }),
  });

/** Keys in use that begin with a text; the first hundred. */
export const tagKeysQuery = (accountId: string, prefix: string) =>
  queryOptions({
    queryKey: [...tagsKey(accountId), 'keys', prefix],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      resultOf(
        api.GET('/accounts/{account_id}/tags/keys', {
          signal,
          params: { path: { account_id: accountId }, query: { prefix } },
        }),
      ),
  });

/** Values in use of a key that begin with a text; the first hundred. */
export const tagValuesQuery = (accountId: string, key: string, prefix: string) =>
  queryOptions({
    queryKey: [...tagsKey(accountId), 'values', key, prefix],
    queryFn: ({ signal }) =>
      resultOf(
        api.GET('/accounts/{account_id}/tags/values', {
          signal,
          params: { path: { account_id: accountId }, query: { key, prefix } },
        }),
      ),
  });

/** How many values of a key a summary tells. */
export const VALUES_OF_SUMMARY = 100;

/** The keys in use, with their first values and counts, page by page; of some types alone when there are any. */
export const tagSummaryQuery = (accountId: string, types: readonly string[], prefix: string) =>
  infiniteQueryOptions({
    queryKey: [...tagsKey(accountId), 'summary', types, prefix],
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      bodyOf(
        api.GET(SUMMARY, {
          signal,
          params: {
            path: { account_id: accountId },
            query: { prefix, type: [...types], ...(cursor !== undefined && { cursor }) },
          },
        }),
      ),
    getNextPageParam: ({ result_info: info }) => info.cursors?.after,
  });

/** One key with its first values and counts; null when no resource has it. */
export const keySummaryQuery = (accountId: string, key: string, types: readonly string[]) =>
  queryOptions({
    queryKey: [...tagsKey(accountId), 'key', key, types],
    queryFn: async ({ signal }) => {
      // Of all that begin with it, the key itself is the first.
      const [first] = await resultOf(
        api.GET(SUMMARY, {
          signal,
          params: { path: { account_id: accountId }, query: { prefix: key, type: [...types] } },
        }),
      );
      return first?.key === key ? first : null;
    },
  });

/** Every resource type, and how many resources of it have tags. */
export const tagTypesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...tagsKey(accountId), 'types'],
    queryFn: ({ signal }) =>
      resultOf(
        api.GET('/accounts/{account_id}/tags/types', {
          signal,
          params: { path: { account_id: accountId } },
        }),
      ),
  });
