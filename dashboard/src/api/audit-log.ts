import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, resultOf } from './client.ts';
import type { paths } from './schema.d.ts';

const OF_ACCOUNT = '/accounts/{account_id}/logs/audit';

type List = paths[typeof OF_ACCOUNT]['get'];

/** One entry of an audit log. */
export type AuditRow = List['responses'][200]['content']['application/json']['result'][number];

type Parameters = List['parameters']['query'];

/** Whose log it is: that of an account, or the person's own. */
export type AuditSource = { accountId: string } | 'own';

/** What of it is wanted, beside the time. */
export type AuditFilters = Readonly<Record<string, string>>;

/** A time from one moment up to, and without, another; in RFC 3339. */
export interface AuditWindow {
  since: string;
  before: string;
}

function read(source: AuditSource, query: Parameters, signal: AbortSignal) {
  return source === 'own'
    ? bodyOf(api.GET('/user/logs/audit', { signal, params: { query } }))
    : bodyOf(
        api.GET(OF_ACCOUNT, {
          signal,
          params: { path: { account_id: source.accountId }, query },
        }),
      );
}

function keyOf(source: AuditSource): readonly string[] {
  return source === 'own' ? ['user', 'audit-log'] : ['accounts', source.accountId, 'audit-log'];
}

const PAGE_ROWS = 50;

/** Where a page begins; a cursor holds for the very window that it was made in. */
interface PageStart {
  cursor: string;
  window: AuditWindow;
}

/**
 * The log, the newest entry first, page by page.
 * @param range what stands for the window in the key: a window that ends now is another one each time
 * @param windowOf the window, at the moment of reading
 */
export const auditLogQuery = (
  source: AuditSource,
  filters: AuditFilters,
  range: string,
  windowOf: () => AuditWindow,
) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(source), 'list', range, filters],
    // What somebody has done on another page a moment ago is in it; as long as it is looked at, they say when.
    staleTime: 0,
    refetchOnWindowFocus: false,
    initialPageParam: undefined as PageStart | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const window = pageParam?.window ?? windowOf();
      const cursor = pageParam === undefined ? {} : { cursor: pageParam.cursor };
      const query = { ...filters, ...window, ...cursor, limit: PAGE_ROWS } as Parameters;
      const { result, result_info: info } = await read(source, query, signal);
      return { rows: result, window, next: info.cursors?.after };
    },
    getNextPageParam: ({ next, window }): PageStart | undefined =>
      next === undefined ? undefined : { cursor: next, window },
  });

// Entries never change.
const FOREVER = Number.POSITIVE_INFINITY;

/** One entry; null when there is none of that id. */
export const auditRowQuery = (source: AuditSource, id: string) =>
  queryOptions({
    queryKey: [...keyOf(source), 'row', id],
    staleTime: FOREVER,
    queryFn: async ({ signal }) => {
      const timeMs = timeOfId(id);
      if (timeMs === undefined) return null;
      const window = { since: moment(timeMs), before: moment(timeMs + 1) };
      const { result } = await read(source, { ...window, id: [id] }, signal);
      return result[0] ?? null;
    },
  });

// No other entry has to be looked at: the time of an entry stands in its id, a UUIDv7.
function timeOfId(id: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}

function moment(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

// How far back it is worth looking for what a thing was like before.
const LOOK_BACK_MS = 366 * 86_400_000;
const LOOK_BACK_ROWS = 10;

/** The successful changes of the same thing before a change, the newest first. */
export const earlierChangesQuery = (source: AuditSource, row: AuditRow) =>
  queryOptions({
    queryKey: [...keyOf(source), 'earlier', row.id],
    staleTime: FOREVER,
    queryFn: async ({ signal }) => {
      const timeMs = Date.parse(row.action.time);
      const query = {
        since: moment(timeMs - LOOK_BACK_MS),
        before: row.action.time,
        resource_type: [row.resource.type],
        resource_id: [row.resource.id ?? ''],
        action_result: ['success'],
        limit: LOOK_BACK_ROWS,
      };
      return (await read(source, query, signal)).result;
    },
  });

/** The parts of the product, for filters. */
export const productCategoriesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'audit-log', 'categories'],
    staleTime: FOREVER,
    queryFn: ({ signal }) =>
      resultOf(
        api.GET('/accounts/{account_id}/logs/audit/product_categories', {
          signal,
          params: { path: { account_id: accountId } },
        }),
      ),
  });
