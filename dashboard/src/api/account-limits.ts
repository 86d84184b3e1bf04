import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { unlessFinal } from './failure.ts';
import { gatewaysKey } from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { operations } from './schema.d.ts';

const LIMITS = '/accounts/{account_id}/ai-gateway/spend-limits';
const SPEND = '/accounts/{account_id}/ai-gateway/spend';
const REFRESH_MS = 30_000;

/** The spend limits of an account, which its gateways share. */
export type AccountLimits =
  operations['get-account-spend-limits']['responses'][200]['content']['application/json']['result'];
/** Limits as the server accepts them. */
export type AccountLimitsBody =
  operations['put-account-spend-limits']['requestBody']['content']['application/json'];

const pathOf = (accountId: string) => ({ account_id: accountId });

export const accountLimitsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'account-limits'],
    // The form begins with the stored limits.
    staleTime: 0,
    queryFn: ({ signal }) =>
      resultOf(api.GET(LIMITS, { signal, params: { path: pathOf(accountId) } })),
  });

/** The current spend of each rule of the account that is enabled. */
export const accountSpendQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'account-spend'],
    staleTime: 0,
    refetchInterval: unlessFinal(REFRESH_MS),
    queryFn: ({ signal }) =>
      resultOf(api.GET(SPEND, { signal, params: { path: pathOf(accountId) } })),
  });

/** Reads the spend limits of an account with their ETag, for an edit. */
export function readAccountLimits(accountId: string) {
  return api.GET(LIMITS, { params: { path: pathOf(accountId) } });
}

/** Replaces the spend limits of an account. */
export async function putAccountLimits(
  accountId: string,
  body: AccountLimitsBody,
  headers: Record<string, string>,
): Promise<AccountLimits> {
  const request = { body, headers, params: { path: pathOf(accountId) } };
  const limits = await resultOf(api.PUT(LIMITS, request));
  queryClient.setQueryData(accountLimitsQuery(accountId).queryKey, limits);
  await queryClient.invalidateQueries({ queryKey: accountSpendQuery(accountId).queryKey });
  return limits;
}
