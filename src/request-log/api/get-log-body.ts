import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { LogServices } from './log-services.ts';
import { LogParams } from './log-params.ts';
import { findVisibleLog } from './visible-logs.ts';

/** Returns the route of the request body or the response body of a log. */
const getLogBodyRoute = (services: LogServices, side: 'request' | 'response') =>
  defineRoute({
    method: 'GET',
    path: `/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:log_id/${side}`,
    operationId: `get-gateway-log-${side}`,
    section: 'AI gateway',
    summary: `Get the ${side} body of a log`,
    description:
      'Returns the logged body with its original content type and without an envelope. Credentials are removed, and very large bodies are truncated.',
    access: 'ai-gateway.read',
    params: LogParams,
    raw: `The ${side} body`,
    async handler({ params, request }) {
      const key = await findVisibleLog(services, params, request.path);
      const payload = await services.logStore.readPayload(key);
      if (payload === undefined) throw notFound(request.path);
      return { result: null, raw: payload[side] };
    },
  });

export const getLogRequestRoute = (services: LogServices) => getLogBodyRoute(services, 'request');

export const getLogResponseRoute = (services: LogServices) => getLogBodyRoute(services, 'response');
