import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, bodyOf, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import { gatewaysKey } from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const ALL = '/accounts/{account_id}/ai-gateway/custom-providers';
const ONE = `${ALL}/{provider_id}` as const;

/** A provider that an account has added. */
export type CustomProvider =
  paths[typeof ALL]['get']['responses'][200]['content']['application/json']['result'][number];

/** What a provider is added with. */
export type NewCustomProvider =
  paths[typeof ALL]['post']['requestBody']['content']['application/json'];

/** What changes one: what it does not name stays as it is. */
export type CustomProviderChange =
  paths[typeof ONE]['patch']['requestBody']['content']['application/json'];

/** Which part of the list is looked at. */
export interface CustomProviderFilter {
  page: number;
  /** Search text: part of the id, the name or the slug; empty: all. */
  search: string;
  /** Only enabled, or only disabled, providers. */
  isEnabled: boolean | undefined;
}

/** What requests put in front of a slug. */
export const CUSTOM_PREFIX = 'custom-';

const PER_PAGE = 20;
const MOST_PER_PAGE = 100;

/** Under which everything is kept that was read of an account's own providers. */
const customProvidersKey = (accountId: string) =>
  ['accounts', accountId, 'custom-providers'] as const;

/** One page of them, by name, with `result_info`. */
export const customProvidersQuery = (
  accountId: string,
  { page, search, isEnabled }: CustomProviderFilter,
) =>
  queryOptions({
    queryKey: [...customProvidersKey(accountId), 'list', { page, search, isEnabled }],
    queryFn: ({ signal }) => {
      const query = {
        page,
        per_page: PER_PAGE,
        ...(search !== '' && { search }),
        ...(isEnabled !== undefined && { enable: isEnabled }),
      };
      return bodyOf(api.GET(ALL, { signal, params: { path: { account_id: accountId }, query } }));
    },
  });

/** All of them, to choose from: an account has no more than two hundred. */
export const allCustomProvidersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...customProvidersKey(accountId), 'all'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const query = { page, per_page: MOST_PER_PAGE };
        return bodyOf(api.GET(ALL, { signal, params: { path: { account_id: accountId }, query } }));
      }),
  });

/** Adds a provider. The same key twice adds one. */
export function createCustomProvider(
  accountId: string,
  body: NewCustomProvider,
  idempotencyKey: string,
): Promise<CustomProvider> {
  const params = { path: { account_id: accountId } };
  const headers = { 'idempotency-key': idempotencyKey };
  return resultOf(api.POST(ALL, { params, body, headers }));
}

/** Reads a provider with its ETag, for an edit. */
export function readCustomProvider(accountId: string, providerId: string) {
  return api.GET(ONE, { params: paramsOf(accountId, providerId) });
}

/** Changes a provider. */
export function updateCustomProvider(
  accountId: string,
  providerId: string,
  body: CustomProviderChange,
  headers: Record<string, string> = {},
): Promise<CustomProvider> {
  return resultOf(api.PATCH(ONE, { params: paramsOf(accountId, providerId), headers, body }));
}

/** Deletes a provider with every key that gateways keep for it. */
export function deleteCustomProvider(
  accountId: string,
  providerId: string,
  headers: IfMatch,
): Promise<unknown> {
  return resultOf(api.DELETE(ONE, { params: paramsOf(accountId, providerId), headers }));
}

/** After a change: whatever shows them reads them anew. */
export function refreshCustomProviders(accountId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: customProvidersKey(accountId) });
}

/** After one was deleted: its keys are gone from the gateways, too. */
export async function forgetCustomProvider(accountId: string): Promise<void> {
  await Promise.all([
    refreshCustomProviders(accountId),
    queryClient.invalidateQueries({ queryKey: [...gatewaysKey(accountId), 'keys'] }),
  ]);
}

function paramsOf(accountId: string, providerId: string) {
  return { path: { account_id: accountId, provider_id: providerId } };
}
