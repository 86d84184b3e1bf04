import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { defineRoute } from '../../iam/route.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { GatewayParams } from '../gateways/gateway-schemas.ts';
import { findGateway } from '../gateways/gateway-store.ts';
import { LogSchema, presentLog } from './log-presenter.ts';

const MAX_PER_PAGE = 100;

export const listLogsRoute = ({ database, logStore, logWriter }: GatewayServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs',
    operationId: 'list-gateway-logs',
    section: 'AI gateway',
    summary: 'List what went through a gateway',
    access: 'ai-gateway.read',
    params: GatewayParams,
    query: Type.Object(
      {
        ...pageQuery(MAX_PER_PAGE),
        direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Newest first: desc' })),
        order_by_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
        order_by: Type.Optional(Type.Enum(['created_at'])),
        model: Type.Optional(Type.String({ maxLength: 256 })),
        provider: Type.Optional(Type.String({ maxLength: 64 })),
        success: Type.Optional(Type.Boolean()),
      },
      {
        // A filter that is not known must not pass for one that selects everything.
        additionalProperties: false,
      },
    ),
    result: Type.Array(LogSchema),
    paging: 'page',
    async handler({ params, query, request }) {
      const { account_id: accountId, gateway_id: gatewayId } = params;
      const gateway = await findGateway(database.read, accountId, gatewayId);
      if (gateway === undefined) throw notFound(request.path);
      // Whoever lists right after a call expects to see it.
      await logWriter.flush();
      const page = readPage(query);
      const { rows, totalCount } = await logStore.list(
        {
          accountId,
          gatewayId,
          sinceMs: gateway.createdAtMs,
          model: query.model,
          provider: query.provider,
          success: query.success,
          direction: query.order_by_direction ?? query.direction ?? 'desc',
        },
        page,
      );
      return pageReply(rows.map(presentLog), page, totalCount);
    },
  });
