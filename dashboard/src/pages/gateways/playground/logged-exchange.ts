import { queryOptions } from '@tanstack/react-query';
import { api, resultOf } from '../../../api/client.ts';
import { isGone } from '../../../api/failure.ts';
import type { CalledGateway } from '../../../api/gateway-call.ts';
import { gatewaysKey, pathOf } from '../../../api/gateways.ts';

const LOG = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs/{log_id}';

// Rows are written some 50 ms after the end of an answer.
const FIRST_WAIT_MS = 150;
const NEXT_WAIT_MS = 500;
const MOST_TRIES = 6;

/** What the log knows of an answer that has ended: its tokens, and what it cost. */
export const loggedExchangeQuery = ({ accountId, gatewayId }: CalledGateway, logId: string) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'logged', gatewayId, logId],
    staleTime: Infinity,
    retry: (tries, error) => isGone(error) && tries < MOST_TRIES,
    retryDelay: NEXT_WAIT_MS,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS));
      const params = { path: { ...pathOf(accountId, gatewayId), log_id: logId } };
      const { tokens_in, tokens_out, cost } = await resultOf(api.GET(LOG, { signal, params }));
      return { tokensIn: tokens_in, tokensOut: tokens_out, cost };
    },
  });
