import type { Db } from '../../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { LogListQuery, LogPage } from '../log-query.ts';
import { countSelected } from './count-selected.ts';
import { readEntries } from './entries.ts';
import { type FoundPage, findPage } from './find-page.ts';
import { findCount, noteCount } from './page-places.ts';

/**
 * One page of a gateway's logs, and how many there are in all.
 * @throws SelectionTooBroad when the rows of the page cannot be found in some seconds
 */
export async function listEntries(
  db: Db,
  dialect: LogDialect,
  query: LogListQuery,
): Promise<LogPage> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return { rows: [], totalCount: 0, isEstimated: false };
  const page = await findPage(db, dialect, scope, query);
  const rows = await readEntries(db, dialect, scope, query, page.ids);
  return { rows, ...(await countPage(db, dialect, scope, query, page)) };
}

async function countPage(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  query: LogListQuery,
  { ids: { length }, isLast, sample }: FoundPage,
): Promise<Omit<LogPage, 'rows'>> {
  // Where the list ends tells how long it is, unless the page is beyond it.
  if (isLast && (length > 0 || query.offset === 0)) {
    return { totalCount: query.offset + length, isEstimated: false };
  }
  const known = findCount(db, query);
  if (known !== undefined) return known;
  const count = await countSelected(db, dialect, scope, query, sample);
  noteCount(db, query, count);
  return count;
}
