import { notFound } from '../../http/errors.ts';
import { defineRoute } from '../../iam/route.ts';
import type { LogServices } from './log-services.ts';
import { LogParams } from './log-params.ts';
import { LOG_RECORD, LogDetailsSchema, presentLogDetails } from './log-presenter.ts';
import { findVisibleLog } from './visible-logs.ts';

/** The part of each body in the response. */
const HEAD_BYTES = 10 * 1024;

export const getLogRoute = (services: LogServices) =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:log_id',
    operationId: 'get-gateway-log',
    section: 'AI gateway',
    summary: 'Get a log',
    access: 'ai-gateway.read',
    params: LogParams,
    record: LOG_RECORD,
    result: LogDetailsSchema,
    async handler({ params, request }) {
      const key = await findVisibleLog(services, params, request.path);
      const [log, payload] = await Promise.all([
        services.logStore.find(key),
        services.logStore.readPayload(key, HEAD_BYTES),
      ]);
      if (log === undefined) throw notFound(request.path);
      return { result: presentLogDetails(log, payload) };
    },
  });
