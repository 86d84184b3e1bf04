import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, bodyOf, resultOf } from './client.ts';
import type { IfMatch } from './edit.ts';
import type { paths } from './schema.d.ts';

const ALL = '/accounts/{account_id}/ai-gateway/gateways';
const ONE = `${ALL}/{gateway_id}` as const;

/** An AI gateway with its settings. */
export type Gateway =
  paths[typeof ONE]['get']['responses'][200]['content']['application/json']['result'];

/** Which gateway of which account. */
export interface GatewayPlace {
  accountId: string;
  gatewayId: string;
}

/** What a gateway is created with. */
export type NewGateway = paths[typeof ALL]['post']['requestBody']['content']['application/json'];

/** All settings of a gateway, as they are written: those left out get their defaults. */
export type GatewaySettings =
  paths[typeof ONE]['put']['requestBody']['content']['application/json'];

/** Under which everything is kept that was read of an account's gateways. */
export const gatewaysKey = (accountId: string) => ['accounts', accountId, 'gateways'] as const;

const PER_PAGE = 100;

/** All gateways of an account. */
export const gatewaysQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'list'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { account_id: accountId }, query: { page, per_page: PER_PAGE } };
        return bodyOf(api.GET(ALL, { signal, params }));
      }),
  });

/** One gateway. */
export const gatewayQuery = (accountId: string, gatewayId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'one', gatewayId],
    queryFn: ({ signal }) =>
      resultOf(api.GET(ONE, { signal, params: { path: pathOf(accountId, gatewayId) } })),
  });

/** Makes a gateway. The same key twice makes one. */
export function createGateway(
  accountId: string,
  body: NewGateway,
  idempotencyKey: string,
): Promise<Gateway> {
  const params = { path: { account_id: accountId } };
  const headers = { 'idempotency-key': idempotencyKey };
  return resultOf(api.POST(ALL, { params, body, headers }));
}

/** Reads a gateway with its ETag, for an edit. */
export function readGateway({ accountId, gatewayId }: GatewayPlace) {
  return api.GET(ONE, { params: { path: pathOf(accountId, gatewayId) } });
}

/** Replaces the settings of a gateway. */
export function updateGateway(
  { accountId, gatewayId }: GatewayPlace,
  body: GatewaySettings,
  headers: Record<string, string>,
): Promise<Gateway> {
  return resultOf(api.PUT(ONE, { params: { path: pathOf(accountId, gatewayId) }, headers, body }));
}

/** Deletes a gateway with its logs and its stored keys. */
export function deleteGateway(
  { accountId, gatewayId }: GatewayPlace,
  headers: IfMatch,
): Promise<unknown> {
  return resultOf(api.DELETE(ONE, { params: { path: pathOf(accountId, gatewayId) }, headers }));
}

/** The parameters of the addresses below a gateway. */
export function pathOf(accountId: string, gatewayId: string) {
  return { account_id: accountId, gateway_id: gatewayId };
}
