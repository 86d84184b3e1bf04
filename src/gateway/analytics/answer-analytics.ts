import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { Reply } from '../../http/route.ts';
import { forbidden } from '../../iam/access/authorize.ts';
import { type Principal, deniedGateways, holds } from '../../iam/principal.ts';
import { gatewayManagementErrors } from '../gateway-errors.ts';
import type { LogServices } from '../logs/log-services.ts';
import { presentAnalytics } from './analytics-presenter.ts';
import type { SummedGateway } from './analytics-query.ts';
import type { AnalyticsSchema } from './analytics-schemas.ts';
import type { AnalyticsRequest } from './parse-analytics-request.ts';
import { ALL, valueInDimension } from './rollup-dimensions.ts';

/** A gateway that the caller may read. */
export interface ReadableGateway {
  id: string;
  createdAtMs: number;
}

type Services = Pick<LogServices, 'database' | 'logStore' | 'logWriter' | 'tagging'>;

/**
 * Answers what was asked about these gateways of an account.
 * @throws ApiError 5040 when it is too much to sum up, 503 when the log store is unavailable
 */
export async function answerAnalytics(
  services: Services,
  accountId: string,
  gateways: readonly ReadableGateway[],
  request: AnalyticsRequest,
  tagValues: ReadonlyMap<string, string>,
): Promise<Reply<Static<typeof AnalyticsSchema>>> {
  const { groupBy, range, orderBy, limit } = request;
  const groupOf = ({ id }: ReadableGateway): string | undefined => {
    if (groupBy.by === 'dimension') return undefined;
    return valueInDimension(groupBy.by === 'gateway' ? id : (tagValues.get(id) ?? null));
  };
  const summed = gateways.map((gateway): SummedGateway => ({
    ...gateway,
    group: groupOf(gateway),
  }));
  // Whoever looks right after a call expects to see it.
  await services.logWriter.flush();
  const analytics = await services.logStore.analyze({
    accountId,
    gateways: summed,
    dimension: groupBy.by === 'dimension' ? groupBy.dimension : ALL,
    stepSeconds: range.stepSeconds,
    sinceMs: range.sinceMs,
    untilMs: range.untilMs,
    orderBy,
    limit,
  });
  if (analytics === undefined) throw apiError(gatewayManagementErrors.analyticsTooBroad);
  // To take in a large one, to present it and to send it lasts some milliseconds each.
  await nextTurn();
  const result = presentAnalytics(request, analytics);
  await nextTurn();
  return { result };
}

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/**
 * The values by which gateways are told apart when tags are asked for, by the gateway's id. The tags of
 * a gateway for which the permission is denied by itself are not among them.
 * @param target what the permission to read tags is needed on
 * @throws ApiError 403
 */
export async function readTagValues(
  { database, tagging }: Services,
  principal: Principal,
  target: { accountId: string; gatewayId?: string },
  gateways: readonly ReadableGateway[],
  { groupBy }: AnalyticsRequest,
): Promise<ReadonlyMap<string, string>> {
  if (groupBy.by !== 'tag') return NO_TAGS;
  const { accountId } = target;
  if (!holds(principal, 'tags.read', target)) throw forbidden('tags.read', principal);
  const denied = new Set(deniedGateways(principal, 'tags.read', accountId));
  const ids = gateways.map(({ id }) => id).filter((id) => !denied.has(id));
  return tagging.valuesOf(database.read, accountId, 'ai_gateway', ids, groupBy.key);
}
