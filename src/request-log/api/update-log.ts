import { gatewayBodyFaults, gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { showMembers } from '../../iam/audit/audit-view.ts';
import type { Static } from 'typebox';
import { apiError, notFound } from '../../http/errors.ts';
import { auditedChangeOf } from '../../iam/audit/audited-change.ts';
import { defineRoute } from '../../iam/route.ts';
import type { LogServices } from './log-services.ts';
import { loggableMetadata } from '../record.ts';
import { LogParams } from './log-params.ts';
import { LOG_RECORD, LogSchema, UpdateLogSchema, presentLog } from './log-presenter.ts';
import type { LogAnnotation } from '../log-query.ts';
import { findVisibleLog } from './visible-logs.ts';
import { MAX_METADATA_LENGTH } from '../../lib/gateway-bounds.ts';

/** Describes a change of a log for the audit log of its account. */
const logChange = auditedChangeOf(
  { type: 'ai_gateway_log', product: 'ai_gateway' },
  showMembers('feedback', 'score', 'metadata'),
);

export const updateLogRoute = (services: LogServices) =>
  defineRoute({
    method: 'PATCH',
    path: '/accounts/:account_id/ai-gateway/gateways/:gateway_id/logs/:log_id',
    operationId: 'update-gateway-log',
    section: 'AI gateway',
    summary: 'Add feedback, a score or metadata to a log',
    description: 'Omitted fields keep their values.',
    access: 'ai-gateway.write',
    params: LogParams,
    body: UpdateLogSchema,
    bodyFaults: gatewayBodyFaults,
    record: LOG_RECORD,
    result: LogSchema,
    async handler({ principal, params, body, request, checkRecord }) {
      const { logStore, changes } = services;
      const annotation = readAnnotation(body);
      const key = await findVisibleLog(services, params, request.path);
      const { accountId, id } = key;
      const stored = await logStore.find(key);
      if (stored === undefined) throw notFound(request.path);
      checkRecord(presentLog(stored));
      if (Object.keys(annotation).length === 0) return { result: presentLog(stored) };
      // The logs are in another database, so the audit row is written before the change.
      await changes.make({ principal, request, body }, async ({ audit }) => {
        audit(logChange({ accountId, id }, 'update', 'Annotated a log'));
        return { result: null };
      });
      const updated = await logStore.annotate(key, annotation);
      if (updated === undefined) throw notFound(request.path);
      return { result: presentLog(updated) };
    },
  });

function readAnnotation({ metadata, ...rest }: Static<typeof UpdateLogSchema>): LogAnnotation {
  if (metadata === undefined) return rest;
  if (metadata === null) return { ...rest, metadata };
  if (JSON.stringify(metadata).length > MAX_METADATA_LENGTH) {
    throw apiError(gatewayFieldErrors.invalidField, {
      message: `${gatewayFieldErrors.invalidField.message}: metadata must have at most ${MAX_METADATA_LENGTH} characters as JSON`,
      pointer: '/metadata',
    });
  }
  return { ...rest, metadata: loggableMetadata(metadata) };
}
