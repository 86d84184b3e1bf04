import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, bodyOf, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import { gatewaysKey, pathOf } from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const ALL = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/provider_configs';
const ONE = `${ALL}/{config_id}` as const;

/** A provider's key that a gateway keeps; never the key itself. */
export type ProviderConfig =
  paths[typeof ALL]['get']['responses'][200]['content']['application/json']['result'][number];

/** What a key is stored with. */
export type NewProviderConfig =
  paths[typeof ALL]['post']['requestBody']['content']['application/json'];

/** What changes a stored key: what it does not name stays as it is. */
export type ProviderConfigChange =
  paths[typeof ONE]['patch']['requestBody']['content']['application/json'];

/** Where the keys of a gateway are. */
export interface KeysPlace {
  accountId: string;
  gatewayId: string;
}

// As many as a gateway may keep.
const PER_PAGE = 100;

/** The keys that a gateway keeps, by provider and alias. */
export const providerConfigsQuery = ({ accountId, gatewayId }: KeysPlace) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'keys', gatewayId],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const query = { page, per_page: PER_PAGE };
        const params = { path: pathOf(accountId, gatewayId), query };
        return bodyOf(api.GET(ALL, { signal, params }));
      }),
  });

/** Stores a key. The same idempotency key twice stores one. */
export function createProviderConfig(
  { accountId, gatewayId }: KeysPlace,
  body: NewProviderConfig,
  idempotencyKey: string,
): Promise<ProviderConfig> {
  const params = { path: pathOf(accountId, gatewayId) };
  const headers = { 'idempotency-key': idempotencyKey };
  return resultOf(api.POST(ALL, { params, body, headers }));
}

/** Reads a stored key with its ETag, for an edit. */
export function readProviderConfig(place: KeysPlace, configId: string) {
  return api.GET(ONE, { params: paramsOf(place, configId) });
}

/** Changes a stored key. */
export function updateProviderConfig(
  place: KeysPlace,
  configId: string,
  body: ProviderConfigChange,
  headers: Record<string, string> = {},
): Promise<ProviderConfig> {
  return resultOf(api.PATCH(ONE, { params: paramsOf(place, configId), headers, body }));
}

/** Deletes a stored key. */
export function deleteProviderConfig(
  place: KeysPlace,
  configId: string,
  headers: IfMatch,
): Promise<unknown> {
  return resultOf(api.DELETE(ONE, { params: paramsOf(place, configId), headers }));
}

/** After a change: the list is read anew, since a default may have taken the place of another. */
export function refreshProviderConfigs(place: KeysPlace): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: providerConfigsQuery(place).queryKey });
}

function paramsOf({ accountId, gatewayId }: KeysPlace, configId: string) {
  return { path: { ...pathOf(accountId, gatewayId), config_id: configId } };
}
