import { queryOptions } from '@tanstack/react-query';
import { failureOf, noResult } from './failure.ts';
import { callGateway } from './gateway-call.ts';
import { gatewaysKey } from './gateways.ts';

const FRESH_MS = 300_000;

/**
 * The names of the models that are known of the providers which a gateway has a key for. Others can be used all
 * the same.
 */
export const gatewayModelsQuery = (accountId: string, gatewayId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'models', gatewayId],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      const call = { operation: 'models', signal };
      const response = await callGateway({ accountId, gatewayId }, call);
      if (!response.ok) throw await failureOf(response);
      return namesIn(await response.json().catch(() => undefined));
    },
  });

function namesIn(list: unknown): string[] {
  const models = (list as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(models)) throw noResult();
  return models.flatMap(({ id }: { id?: unknown }) => (typeof id === 'string' ? [id] : []));
}
