import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import {
  AnalyticsParameters,
  AnalyticsSchema,
  GROUP_BY,
  groupByParameter,
} from './analytics-schemas.ts';
import { answerAnalytics } from './answer-analytics.ts';
import { parseAnalyticsRequest } from './parse-analytics-request.ts';

export const getGatewayAnalyticsRoute = (services: LogServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/analytics',
    operationId: 'get-gateway-analytics',
    section: 'AI gateway',
    summary: 'Get analytics of a gateway',
    description:
      'Requests, tokens, cost and latency over time, including requests whose logs have been deleted. Grouping by `tag.<key>` also requires `tags.read` (Tags Read).',
    access: 'ai-gateway.read',
    params: GatewayParams,
    query: Type.Object(
      { ...AnalyticsParameters, group_by: groupByParameter(GROUP_BY) },
      {
        // An unknown parameter must not be ignored silently.
        additionalProperties: false,
      },
    ),
    result: AnalyticsSchema,
    errors: [logErrors.analyticsTooBroad],
    async handler({ principal, params, query, request }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      const { findGateway, clock } = services;
      const wanted = parseAnalyticsRequest(query, 'gateway', clock.now());
      const gateway = await findGateway(accountId, gatewayId);
      if (gateway === undefined) throw notFound(request.path);
      const gateways = [{ id: gatewayId, createdAtMs: gateway.createdAtMs }];
      const target = { accountId, gatewayId };
      return answerAnalytics(services, principal, { target, gateways }, wanted);
    },
  });
