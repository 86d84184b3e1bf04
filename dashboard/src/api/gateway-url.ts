import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { gatewaysKey, pathOf } from './gateways.ts';

const URL_OF = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/url/{provider}';

/** The address of a provider's own API behind a gateway; `compat` for the OpenAI API of all of them. */
export const gatewayUrlQuery = (accountId: string, gatewayId: string, provider: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'url', gatewayId, provider],
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const params = { path: { ...pathOf(accountId, gatewayId), provider } };
      return resultOf(api.GET(URL_OF, { signal, params }));
    },
  });
