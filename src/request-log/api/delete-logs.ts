import { GatewayParams } from '../../iam/gateway-operations.ts';
import { showMembers } from '../../iam/audit/audit-view.ts';
import { Type } from 'typebox';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { defineRoute } from '../../iam/route.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import { FILTERS_DESCRIPTION, SelectionParameters, readOrder } from './log-parameters.ts';
import { parseLogFilters } from './parse-log-filters.ts';
import { findVisibleLogs, rejectTooBroadQuery } from './visible-logs.ts';

const MAX_LIMIT = 10_000;

/** Describes a deletion of logs for the audit log of the account. */
const logsChange = auditedChangeOf(
  { type: 'ai_gateway_logs', product: 'ai_gateway' },
  showMembers('query'),
);

export const deleteLogsRoute = (services: LogServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs',
    operationId: 'delete-gateway-logs',
    section: 'AI gateway',
    summary: 'Delete logs of a gateway',
    description: `Deletes matching logs and their bodies, in the requested order, up to the limit. Without filters, all logs match. Analytics are not affected. ${FILTERS_DESCRIPTION}`,
    access: 'ai-gateway.write',
    params: GatewayParams,
    query: Type.Object(
      {
        ...SelectionParameters,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: MAX_LIMIT })),
      },
      {
        // An unknown filter must not select everything.
        additionalProperties: false,
      },
    ),
    result: Type.Object({
      success: Type.Boolean(),
      deleted_count: Type.Integer({
        description: 'Number of deleted logs; more may remain if it equals the limit',
      }),
    }),
    errors: [logErrors.logsTooBroad],
    async handler({ principal, params, query, request }) {
      const filters = parseLogFilters(request.query);
      const { accountId, gatewayId, sinceMs } = await findVisibleLogs(
        services,
        params,
        request.path,
      );
      const { limit = MAX_LIMIT, order_by_direction: direction = 'desc' } = query;
      const orderBy = readOrder(query);
      // The logs are in another database, so the audit row is written before the deletion.
      await services.changes.make({ principal, request }, async ({ audit }) => {
        audit({
          ...logsChange({ accountId, id: gatewayId }, 'delete', 'Deleted logs of a gateway'),
          request: { query: request.query },
        });
        return { result: null };
      });
      const deleted = await rejectTooBroadQuery(
        services.logStore.deleteMatching({
          accountId,
          gatewayId,
          sinceMs,
          filters,
          search: undefined,
          orderBy,
          direction,
          offset: 0,
          limit,
        }),
      );
      return { result: { success: true, deleted_count: deleted } };
    },
  });
