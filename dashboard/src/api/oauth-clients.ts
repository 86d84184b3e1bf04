import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import type { paths } from './schema.d.ts';

const LIST = '/accounts/{account_id}/oauth_clients';
const ONE = '/accounts/{account_id}/oauth_clients/{client_id}';

export type OAuthClient =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['result'][number];

/** The OAuth clients of an account. */
export const oauthClientsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'oauth-clients'],
    queryFn: ({ signal }) =>
      resultOf(api.GET(LIST, { signal, params: { path: { account_id: accountId } } })),
  });

/** One OAuth client of an account. */
export const oauthClientQuery = (accountId: string, clientId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'oauth-clients', clientId],
    queryFn: ({ signal }) =>
      resultOf(
        api.GET(ONE, {
          signal,
          params: { path: { account_id: accountId, client_id: clientId } },
        }),
      ),
  });
