import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  type ListStart,
  type LogOrder,
  type LogQuery,
  type WrittenFilter,
  filterParameters,
  logParameters,
} from '../lib/log-query.ts';
import { serverNow } from '../lib/server-time.ts';
import { api, bodyOf, resultOf } from './client.ts';
import { type GatewayPlace, gatewaysKey, pathOf } from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { paths } from './schema.d.ts';

const LIST = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs';

type List = paths[typeof LIST]['get'];

/** One exchange that went through a gateway. */
export type Log = List['responses'][200]['content']['application/json']['result'][number];

/** So many come at once. */
export const PAGE_LOGS = 50;
/** So many pages are shown below each other; what comes then is shown instead of them. */
export const PAGES_PER_PART = 6;

/** Under which everything is kept that was read of the logs of a gateway. */
export const logsKey = ({ accountId, gatewayId }: GatewayPlace) =>
  [...gatewaysKey(accountId), 'logs', gatewayId] as const;

/** Where a page begins. Ids are in the order of time, and hold still while new logs come. */
type Position = { after: string | undefined } | { page: number };

/** Some logs of a list. */
export interface LogPage {
  logs: Log[];
  /** Of the query, from this page on in the order of time, else in all. */
  total: number;
  isEstimated: boolean;
  /** Where the next page begins; undefined: there is none. */
  next: Position | undefined;
}

function isByTime({ order }: LogQuery): boolean {
  return order.by === 'created_at';
}

/** Reads a page of a list. */
export async function readLogPage(
  { accountId, gatewayId }: GatewayPlace,
  query: LogQuery,
  position: Position | undefined,
  perPage: number,
  signal?: AbortSignal,
): Promise<LogPage> {
  const after = position !== undefined && 'after' in position ? position.after : undefined;
  const page = position !== undefined && 'page' in position ? position.page : 1;
  const operator = query.order.direction === 'desc' ? 'lt' : 'gt';
  const behind = after === undefined ? [] : [{ key: 'id', operator, values: [after] }];
  const parameters = logParameters({ ...query, filters: [...query.filters, ...behind] });
  parameters.append('per_page', String(perPage));
  if (page > 1) parameters.append('page', String(page));
  const { result: logs, result_info: info } = await bodyOf(
    api.GET(LIST, {
      ...(signal && { signal }),
      params: { path: pathOf(accountId, gatewayId) },
      querySerializer: () => parameters.toString(),
    }),
  );
  const isEstimated = info.total_count_is_estimated === true;
  const isLast =
    logs.length < perPage || (!isEstimated && info.total_count <= (page - 1) * perPage + perPage);
  const next = isByTime(query) ? { after: logs.at(-1)?.id } : { page: page + 1 };
  return { logs, total: info.total_count, isEstimated, next: isLast ? undefined : next };
}

/**
 * A list of logs, page by page.
 * @param key what stands for the query in the key: one whose time ends now is another one each moment
 * @param queryAt what is asked, at a moment
 */
export const logListQuery = (
  place: GatewayPlace,
  key: string,
  queryAt: (nowMs: number) => LogQuery,
  start: ListStart,
) =>
  infiniteQueryOptions({
    queryKey: [...logsKey(place), 'list', key],
    // Whoever comes back looks for what has come meanwhile.
    staleTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as { nowMs: number; position: Position | undefined } | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const nowMs = pageParam?.nowMs ?? serverNow();
      const query = queryAt(nowMs);
      const position = pageParam === undefined ? positionOf(query, start) : pageParam.position;
      return { ...(await readLogPage(place, query, position, PAGE_LOGS, signal)), nowMs };
    },
    getNextPageParam: ({ next, nowMs }) =>
      next === undefined ? undefined : { nowMs, position: next },
  });

function positionOf(query: LogQuery, { after, part }: ListStart): Position {
  return isByTime(query) ? { after } : { page: (part - 1) * PAGES_PER_PART + 1 };
}

/** How many logs a query has, and the newest of them. */
export async function countLogs(
  place: GatewayPlace,
  query: LogQuery,
  signal?: AbortSignal,
): Promise<{ total: number; isEstimated: boolean; newest: Log | undefined }> {
  const order: LogOrder = { by: 'created_at', direction: 'desc' };
  const { logs, ...count } = await readLogPage(place, { ...query, order }, undefined, 1, signal);
  return { total: count.total, isEstimated: count.isEstimated, newest: logs[0] };
}

/** How many logs a list has that is shown from somewhere in its middle. */
export const logCountQuery = (
  place: GatewayPlace,
  key: string,
  queryAt: (nowMs: number) => LogQuery,
) =>
  queryOptions({
    queryKey: [...logsKey(place), 'count', key],
    queryFn: ({ signal }) => countLogs(place, queryAt(serverNow()), signal),
  });

/**
 * Deletes logs, at most so many.
 * @returns how many; as many as the limit: there may be more
 */
export async function deleteLogs(
  { accountId, gatewayId }: GatewayPlace,
  filters: readonly WrittenFilter[],
  limit: number,
): Promise<number> {
  const parameters = filterParameters(filters);
  parameters.append('limit', String(limit));
  const { deleted_count: count } = await resultOf(
    api.DELETE(LIST, {
      params: { path: pathOf(accountId, gatewayId) },
      querySerializer: () => parameters.toString(),
    }),
  );
  return count;
}

/** After a change: whatever shows logs of the gateway reads them anew. */
export function refreshLogs(place: GatewayPlace): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: logsKey(place) });
}
