import type { LogIdColumn } from '../../../storage/log-tables.ts';
import type { Db } from '../../../storage/schema.ts';
import type { LogDialect } from '../log-dialect.ts';
import type { LogListQuery } from '../log-query.ts';
import { findPage } from './find-page.ts';

/**
 * The ids of a part of a list, in its order.
 * @throws SelectionTooBroad when they cannot be found in some seconds
 */
export async function selectIds(
  db: Db,
  dialect: LogDialect,
  query: LogListQuery,
): Promise<LogIdColumn[]> {
  const scope = await dialect.findScope(db, query.accountId, query.gatewayId);
  if (scope === undefined) return [];
  const { ids } = await findPage({ db, dialect, scope }, query);
  return ids.map((id) => dialect.toColumn(id));
}
