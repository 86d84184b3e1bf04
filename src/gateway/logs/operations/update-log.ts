import { showMembers } from '../../../iam/audit/audit-view.ts';
import { type Static, Type } from 'typebox';
import { apiError, notFound } from '../../../http/errors.ts';
import { auditedChangeOf } from '../../../iam/audit/audited-change.ts';
import { defineRoute } from '../../../iam/route.ts';
import { gatewayBodyFaults, gatewayManagementErrors } from '../../gateway-errors.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { MAX_METADATA_ENTRIES, MAX_METADATA_LENGTH } from '../../options.ts';
import { storableMetadata } from '../capture/log-entry.ts';
import { LogParams } from './log-params.ts';
import { LogSchema, presentLog } from './log-presenter.ts';
import type { LogAnnotation } from '../log-query.ts';
import { findVisibleLog } from './visible-logs.ts';

const MAX_SCORE = 1_000_000;

const UpdateLogSchema = Type.Object(
  {
    feedback: Type.Optional(
      Type.Unsafe<-1 | 0 | 1 | null>({
        enum: [-1, 0, 1, null],
        description: 'Feedback on the response; null: none',
      }),
    ),
    score: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        minimum: -MAX_SCORE,
        maximum: MAX_SCORE,
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | null> | null>({
        type: ['object', 'null'],
        maxProperties: MAX_METADATA_ENTRIES,
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Replaces the metadata of the request',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A change of a log, for the audit log of its account. */
const logChange = auditedChangeOf(
  { type: 'ai_gateway_log', product: 'ai_gateway' },
  showMembers('feedback', 'score', 'metadata'),
);

export const updateLogRoute = (services: GatewayServices) =>
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
    result: LogSchema,
    async handler({ principal, params, body, request }) {
      const { logStore, changes } = services;
      const annotation = readAnnotation(body);
      const which = await findVisibleLog(services, params, request.path);
      const [accountId, , id] = which;
      const stored = await logStore.find(...which);
      if (stored === undefined) throw notFound(request.path);
      if (Object.keys(annotation).length === 0) return { result: presentLog(stored) };
      // The logs are in a database of their own: what is to be done is on record before it is done.
      await changes.make({ principal, request, body }, async ({ audit }) => {
        audit(logChange({ accountId, id }, 'update', 'Annotated a log'));
        return { result: null };
      });
      const updated = await logStore.annotate(...which, annotation);
      if (updated === undefined) throw notFound(request.path);
      return { result: presentLog(updated) };
    },
  });

function readAnnotation({ metadata, ...rest }: Static<typeof UpdateLogSchema>): LogAnnotation {
  if (metadata === undefined) return rest;
  if (metadata === null) return { ...rest, metadata };
  if (JSON.stringify(metadata).length > MAX_METADATA_LENGTH) {
    throw apiError(gatewayManagementErrors.invalidField, {
      message: `${gatewayManagementErrors.invalidField.message}: metadata must have at most ${MAX_METADATA_LENGTH} characters as JSON`,
      pointer: '/metadata',
    });
  }
  return { ...rest, metadata: storableMetadata(metadata) };
}
