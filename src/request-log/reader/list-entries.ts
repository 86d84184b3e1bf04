import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import type { LogListQuery, LogPage } from '../log-query.ts';
import { countSelected } from './count-selected.ts';
import { readEntries } from './entries.ts';
import { type FoundPage, findPage } from './find-page.ts';
import type { PageCache } from './page-cache.ts';

/**
 * Returns one page of the logs of a gateway, and their total number.
 * @throws SelectionTooBroad if the rows of the page are not found in a few seconds
 */
export async function listEntries(
  db: Db,
  dialect: LogDialect,
  query: LogListQuery,
  cache: PageCache,
): Promise<LogPage> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return { rows: [], totalCount: 0, isEstimated: false };
  const logs = { db, dialect, scope };
  const page = await findPage(logs, query, cache);
  const rows = await readEntries(logs, query, page.ids);
  return { rows, ...(await countPage(logs, query, page, cache)) };
}

async function countPage(
  logs: ScopedLogs,
  query: LogListQuery,
  { ids: { length }, isLast, sample }: FoundPage,
  cache: PageCache,
): Promise<Omit<LogPage, 'rows'>> {
  // The last page determines the length of the list, unless the page is beyond the end.
  if (isLast && (length > 0 || query.offset === 0)) {
    return { totalCount: query.offset + length, isEstimated: false };
  }
  const known = cache.findCount(query);
  if (known !== undefined) return known;
  const count = await countSelected(logs, query, sample);
  cache.storeCount(query, count);
  return count;
}

/**
 * Returns the ids of a part of a list, in its order.
 * @throws SelectionTooBroad if they are not found in a few seconds
 */
export async function selectIds(
  db: Db,
  dialect: LogDialect,
  query: LogListQuery,
  cache: PageCache,
): Promise<LogIdColumn[]> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return [];
  const { ids } = await findPage({ db, dialect, scope }, query, cache);
  return ids.map((id) => dialect.toColumn(id));
}
