import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { type GatewayPlace, gatewaysKey, pathOf } from './gateways.ts';
import type { paths } from './schema.d.ts';

const OF_ACCOUNT = '/accounts/{account_id}/ai-gateway/analytics';
const OF_GATEWAY = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/analytics';

/** Figures over some time, by interval and group. */
export type Analytics =
  paths[typeof OF_ACCOUNT]['get']['responses'][200]['content']['application/json']['result'];

/** What is told of all requests, of a group, or of one interval. */
export type Figures = Analytics['totals'];

/** What is asked; times in RFC 3339. */
export type AnalyticsParameters = NonNullable<
  paths[typeof OF_ACCOUNT]['get']['parameters']['query']
>;

/** One gateway of an account, or all of them. */
export type AnalyticsSource = Pick<GatewayPlace, 'accountId'> & Partial<GatewayPlace>;

/** Asks for figures once. */
export function readAnalytics(
  { accountId, gatewayId }: AnalyticsSource,
  query: AnalyticsParameters,
  signal: AbortSignal,
): Promise<Analytics> {
  if (gatewayId === undefined) {
    const params = { path: { account_id: accountId }, query };
    return resultOf(api.GET(OF_ACCOUNT, { signal, params }));
  }
  const params = { path: pathOf(accountId, gatewayId), query };
  return resultOf(api.GET(OF_GATEWAY, { signal, params }));
}

/** Under which the figures of a source are kept. */
export const analyticsKey = ({ accountId, gatewayId }: AnalyticsSource) =>
  [...gatewaysKey(accountId), 'analytics', gatewayId ?? ''] as const;

/**
 * The figures of a stretch of time.
 * @param range what stands for the time in the key: one that ends now is another one each moment
 * @param parametersOf what is asked, at the moment of reading
 */
export const analyticsQuery = (
  source: AnalyticsSource,
  range: string,
  parametersOf: () => AnalyticsParameters,
) =>
  queryOptions({
    queryKey: [...analyticsKey(source), range],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readAnalytics(source, parametersOf(), signal),
  });
