import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { filterParameters } from '../lib/log-query.ts';
import { api, bodyOf, resultOf } from './client.ts';
import { type Log, type LogPage, deleteLogs, logsKey } from './gateway-logs.ts';
import { type GatewayPlace, pathOf } from './gateways.ts';
import { queryClient } from './query-client.ts';
import type { operations, paths } from './schema.d.ts';

const LIST = '/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs';
const ONE = `${LIST}/{log_id}` as const;

/** A log with the beginning of its bodies and the stored header fields. */
export type LogDetails =
  paths[typeof ONE]['get']['responses'][200]['content']['application/json']['result'];

/** The members of a log that a user can change. */
export type LogAnnotation =
  operations['update-gateway-log']['requestBody']['content']['application/json'];

/** One of the two bodies of a log. */
export type BodySide = 'request' | 'response';

/** Identifies a log of a gateway. */
export interface WhichLog extends GatewayPlace {
  logId: string;
}

const keyOf = (which: WhichLog) => [...logsKey(which), 'one', which.logId] as const;

function paramsOf({ accountId, gatewayId, logId }: WhichLog) {
  return { path: { ...pathOf(accountId, gatewayId), log_id: logId } };
}

/** Query of one log. */
export const logQuery = (which: WhichLog) =>
  queryOptions({
    queryKey: keyOf(which),
    queryFn: ({ signal }): Promise<LogDetails> =>
      resultOf(api.GET(ONE, { signal, params: paramsOf(which) })),
  });

/** Query of a body of a log, as far as it was stored. */
export const logBodyQuery = (which: WhichLog, side: BodySide) =>
  queryOptions({
    queryKey: [...keyOf(which), side],
    // It never changes, but it may be large.
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: ({ signal }): Promise<string> => {
      const options = { signal, params: paramsOf(which), parseAs: 'text' } as const;
      return side === 'request'
        ? bodyOf(api.GET(`${ONE}/request`, options))
        : bodyOf(api.GET(`${ONE}/response`, options));
    },
  });

/** Query of the logs with these field values, newest first. */
function logsWhere(
  place: GatewayPlace,
  values: Readonly<Record<string, string>>,
  most: number,
  signal: AbortSignal,
): Promise<Log[]> {
  const filters = Object.entries(values).map(([key, value]) => ({
    key,
    operator: 'eq',
    values: [value],
  }));
  const parameters = filterParameters(filters);
  parameters.append('per_page', String(most));
  const params = { path: pathOf(place.accountId, place.gatewayId) };
  const querySerializer = (): string => parameters.toString();
  return resultOf(api.GET(LIST, { signal, params, querySerializer }));
}

// Twice the number of calls of a universal request, in case of other logs at the same time.
const MOST_STEPS = 32;

/** Query of the steps of the universal request of a log, in order. */
export const stepsQuery = (which: WhichLog, log: LogDetails) =>
  queryOptions({
    queryKey: [...keyOf(which), 'steps'],
    queryFn: async ({ signal }): Promise<Log[]> => {
      // All steps have the time of their request. An empty value means none.
      const values = {
        created_at: log.created_at,
        request_type: log.request_type,
        event_id: log.event_id ?? '',
      };
      return stepsOf(await logsWhere(which, values, MOST_STEPS, signal), log);
    },
  });

/** Selects the steps of one request. Only the log, if several requests came at once and cannot be distinguished. */
function stepsOf(rows: readonly Log[], log: LogDetails): Log[] {
  const own = rows.filter(
    ({ token_id: token, user_id: user }) => token === log.token_id && user === log.user_id,
  );
  const steps = own.toSorted((a, b) => a.step - b.step);
  const isOneRequest = new Set(steps.map(({ step }) => step)).size === steps.length;
  return isOneRequest && steps.some(({ id }) => id === log.id) ? steps : [log];
}

// Shows what happened before and after.
const MOST_OF_EVENT = 21;

/** Query of the logs of an event, newest first. */
export const eventQuery = (place: GatewayPlace, eventId: string) =>
  queryOptions({
    queryKey: [...logsKey(place), 'event', eventId],
    queryFn: ({ signal }) => logsWhere(place, { event_id: eventId }, MOST_OF_EVENT, signal),
  });

/** Changes the feedback, the score or the metadata of a log. Absent members keep their values. */
export function annotateLog(which: WhichLog, body: LogAnnotation): Promise<Log> {
  return resultOf(api.PATCH(ONE, { params: paramsOf(which), body }));
}

/** Replaces the annotation of a log in all cached queries, also if the log no longer has metadata. */
export function rememberAnnotation(which: WhichLog, { feedback, score, metadata }: Log): void {
  change(which, (log) => {
    const annotated = { ...log, feedback, score };
    delete annotated.metadata;
    return metadata === undefined ? annotated : { ...annotated, metadata };
  });
}

/** Replaces the feedback of a log in all cached queries. */
export function rememberFeedback(which: WhichLog, feedback: number | null): void {
  change(which, (log) => ({ ...log, feedback }));
}

function change(which: WhichLog, update: <Shown extends Log>(log: Shown) => Shown): void {
  const { logId } = which;
  queryClient.setQueryData(logQuery(which).queryKey, (log) => log && update(log));
  // Reading a long list again would take too long.
  queryClient.setQueriesData<InfiniteData<LogPage>>(
    { queryKey: [...logsKey(which), 'list'] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          logs: page.logs.map((log) => (log.id === logId ? update(log) : log)),
        })),
      },
  );
}

/** Deletes a log with its bodies. Analytics stay unchanged. */
export async function deleteLog(which: WhichLog): Promise<void> {
  await deleteLogs(which, [{ key: 'id', operator: 'eq', values: [which.logId] }], 1);
  // Open views of the log stay until the user closes them.
  await queryClient.invalidateQueries({
    queryKey: logsKey(which),
    predicate: ({ queryKey }) => !queryKey.includes('one'),
  });
}
