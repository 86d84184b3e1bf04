import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from './client.ts';
import { unlessFinal } from './failure.ts';
import { gatewaysKey, pathOf } from './gateways.ts';
import type { paths } from './schema.d.ts';

const SPEND = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/spend';

/** How near the spend limits of a gateway are. */
export type Spend =
  paths[typeof SPEND]['get']['responses'][200]['content']['application/json']['result'];

/** What is spent of one rule in its present window. */
export type RuleSpend = Spend['rules'][number];

/** What is spent of all that falls under a rule, or of one value of it. */
export type SpentBudget = RuleSpend['budgets'][number];

// It moves with every request; who leaves the page open sees it move.
const REFRESH_MS = 30_000;

/** What is spent of each spend limit of a gateway that is switched on. */
export const gatewaySpendQuery = (accountId: string, gatewayId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'spend', gatewayId],
    staleTime: 0,
    refetchInterval: unlessFinal(REFRESH_MS),
    queryFn: ({ signal }) =>
      resultOf(api.GET(SPEND, { signal, params: { path: pathOf(accountId, gatewayId) } })),
  });
