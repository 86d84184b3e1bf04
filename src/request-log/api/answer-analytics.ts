import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { Reply } from '../../http/route.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { type Principal, deniedGateways, holds } from '../../iam/principal.ts';
import { logErrors } from './log-errors.ts';
import type { LogServices } from './log-services.ts';
import { presentAnalytics } from './analytics-presenter.ts';
import type { SummedGateway } from '../analytics/analytics-query.ts';
import type { AnalyticsSchema } from './analytics-schemas.ts';
import type { AnalyticsRequest } from './parse-analytics-request.ts';
import { ALL, valueInDimension } from '../rollups/rollup-dimensions.ts';

/** A gateway that the principal may read. */
export interface ReadableGateway {
  id: string;
  createdAtMs: number;
}

/** The gateways that a request for analytics covers. */
export interface AnalyticsScope {
  /** The object of the permission to read tags. */
  target: { accountId: string; gatewayId?: string };
  gateways: readonly ReadableGateway[];
}

/**
 * Responds to a request for analytics.
 * @throws ApiError 403 without the permission to read tags, if the request groups by a tag; 5040 if the range has too many
 *   rows; 503 if the log store is unavailable
 */
export async function answerAnalytics(
  services: LogServices,
  principal: Principal,
  scope: AnalyticsScope,
  request: AnalyticsRequest,
): Promise<Reply<Static<typeof AnalyticsSchema>>> {
  const { groupBy, range, orderBy, limit } = request;
  const tagValues = await readTagValues(services, principal, scope, request);
  const groupOf = ({ id }: ReadableGateway): string | undefined => {
    if (groupBy.by === 'dimension') return undefined;
    return valueInDimension(groupBy.by === 'gateway' ? id : (tagValues.get(id) ?? null));
  };
  const summed = scope.gateways.map((gateway): SummedGateway => ({
    ...gateway,
    group: groupOf(gateway),
  }));
  // A user who looks right after a call expects to see it.
  await services.logWriter.flush();
  const analytics = await services.logStore.analyze({
    accountId: scope.target.accountId,
    gateways: summed,
    dimension: groupBy.by === 'dimension' ? groupBy.dimension : ALL,
    stepSeconds: range.stepSeconds,
    sinceMs: range.sinceMs,
    untilMs: range.untilMs,
    orderBy,
    limit,
  });
  if (analytics === undefined) throw apiError(logErrors.analyticsTooBroad);
  // A large result takes some milliseconds to receive, to present and to send.
  await nextTurn();
  const result = presentAnalytics(request, analytics);
  await nextTurn();
  return { result };
}

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/**
 * Returns the values of the requested tag by gateway id, without gateways whose tags the principal may not read.
 * @throws ApiError 403
 */
async function readTagValues(
  { database, tagging }: LogServices,
  principal: Principal,
  { target, gateways }: AnalyticsScope,
  { groupBy }: AnalyticsRequest,
): Promise<ReadonlyMap<string, string>> {
  if (groupBy.by !== 'tag') return NO_TAGS;
  const { accountId } = target;
  if (!holds(principal, 'tags.read', target)) throw forbidden('tags.read', principal);
  const denied = new Set(deniedGateways(principal, 'tags.read', accountId));
  const ids = gateways.map(({ id }) => id).filter((id) => !denied.has(id));
  return tagging.valuesOf(database.read, accountId, 'ai_gateway', ids, groupBy.key);
}
