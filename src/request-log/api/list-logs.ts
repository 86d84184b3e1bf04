import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { pageQuery, pageReply, readPage } from '../../http/paging.ts';
import { defineRoute } from '../../iam/route.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import { ExtremesInfo, presentExtremes } from './log-extremes.ts';
import {
  DeprecatedParameters,
  FILTERS_DESCRIPTION,
  SelectionParameters,
  readDeprecatedFilters,
  readOrder,
} from './log-parameters.ts';
import { LogSchema, presentLog } from './log-presenter.ts';
import { invalidParameter, parseLogFilters } from './parse-log-filters.ts';
import { findVisibleLogs, rejectTooBroadQuery } from './visible-logs.ts';

const MAX_PER_PAGE = 100;
const MAX_SEARCH_LENGTH = 200;

const ListQuery = Type.Object(
  {
    ...pageQuery(MAX_PER_PAGE),
    ...SelectionParameters,
    search: Type.Optional(
      Type.String({
        maxLength: MAX_SEARCH_LENGTH,
        description:
          'Search text: part of the metadata, the model, the provider or the path; case-insensitive',
      }),
    ),
    meta_info: Type.Optional(
      Type.Boolean({
        description: 'Adds the minimum and maximum values of all logs to `result_info`',
      }),
    ),
    ...DeprecatedParameters,
  },
  {
    // An unknown filter must not select everything.
    additionalProperties: false,
  },
);

export const listLogsRoute = (services: LogServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs',
    operationId: 'list-gateway-logs',
    section: 'AI gateway',
    summary: 'List the logs of a gateway',
    description: FILTERS_DESCRIPTION,
    access: 'ai-gateway.read',
    params: GatewayParams,
    query: ListQuery,
    result: Type.Array(LogSchema),
    paging: 'page',
    resultInfo: {
      total_count_is_estimated: Type.Optional(
        Type.Boolean({
          description: 'There are too many logs to count',
        }),
      ),
      ...ExtremesInfo,
    },
    errors: [logErrors.logsTooBroad],
    async handler({ params, query, request }) {
      const { search = '' } = query;
      if (search.includes('\0'))
        throw invalidParameter('search', 'must not contain a NUL character');
      const filters = [...parseLogFilters(request.query), ...readDeprecatedFilters(query)];
      const { accountId, gatewayId, ...logs } = await findVisibleLogs(
        services,
        params,
        request.path,
      );
      const page = readPage(query);
      const { rows, totalCount, isEstimated } = await rejectTooBroadQuery(
        services.logStore.list({
          accountId,
          gatewayId,
          sinceMs: logs.sinceMs,
          filters,
          search: search === '' ? undefined : search,
          orderBy: readOrder(query),
          direction: query.order_by_direction ?? query.direction ?? 'desc',
          offset: page.offset,
          limit: page.perPage,
        }),
      );
      const { result, resultInfo } = pageReply(rows.map(presentLog), page, totalCount);
      const extremes =
        query.meta_info === true
          ? presentExtremes(
              await services.logStore.extremes({
                accountId,
                gatewayId,
                createdAtMs: logs.createdAtMs,
              }),
            )
          : {};
      const estimate = isEstimated ? { total_count_is_estimated: true } : {};
      return { result, resultInfo: { ...resultInfo, ...estimate, ...extremes } };
    },
  });
