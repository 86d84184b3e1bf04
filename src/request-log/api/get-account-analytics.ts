import { Type } from 'typebox';
import { deniedGateways } from '../../iam/principal.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { Db } from '../../storage/schema.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import {
  AnalyticsParameters,
  AnalyticsSchema,
  GROUP_BY,
  groupByParameter,
} from './analytics-schemas.ts';
import { type ReadableGateway, answerAnalytics } from './answer-analytics.ts';
import { parseAnalyticsRequest } from './parse-analytics-request.ts';

export const getAccountAnalyticsRoute = (services: LogServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/analytics',
    operationId: 'get-account-analytics',
    section: 'AI gateway',
    summary: 'Get analytics of all gateways of an account',
    description:
      'Requests, tokens, cost and latency over time, for all gateways that the client may read. Grouping by `tag.<key>` also requires `tags.read` (Tags Read): it shows the cost of each team if gateways have a tag with their team.',
    access: 'ai-gateway.read',
    params: AccountParams,
    query: Type.Object(
      { ...AnalyticsParameters, group_by: groupByParameter(`\`gateway\`, ${GROUP_BY}`) },
      {
        // An unknown parameter must not be ignored silently.
        additionalProperties: false,
      },
    ),
    result: AnalyticsSchema,
    errors: [logErrors.analyticsTooBroad],
    async handler({ principal, params, query }) {
      const accountId = params.account_id;
      const { database, clock } = services;
      const wanted = parseAnalyticsRequest(query, 'account', clock.now());
      const hidden = deniedGateways(principal, 'ai-gateway.read', accountId);
      const gateways = await listReadableGateways(database.read, accountId, hidden);
      const target = { accountId };
      return answerAnalytics(services, principal, { target, gateways }, wanted);
    },
  });

/** Returns the visible gateways of an account, at most a few thousand. Uses the primary key. */
async function listReadableGateways(
  db: Db,
  accountId: string,
  hidden: readonly string[],
): Promise<ReadableGateway[]> {
  let query = db
    .selectFrom('gateways')
    .select(['id', 'created_at'])
    .where('account_id', '=', accountId);
  if (hidden.length > 0) query = query.where('id', 'not in', hidden);
  const rows = await query.orderBy('id').execute();
  return rows.map(({ id, created_at: createdAtMs }) => ({ id, createdAtMs }));
}
