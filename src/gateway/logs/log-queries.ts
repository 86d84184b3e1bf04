import { sql } from 'kysely';
import type { PageRequest } from '../../http/paging.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogPage, LogQuery, LogRow } from './log-store.ts';

// 17 columns a row; both databases allow at least 32,766 parameters in a statement.
const ROWS_PER_STATEMENT = 500;

/** @param db an open transaction, so that the batch is written all or nothing */
export async function insertLogs(db: Db, rows: readonly LogRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await db
      .insertInto('gateway_logs')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      // A batch that is written again after a lost answer must not fail.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** One page of a gateway's logs in the order of time. Walks the primary key. */
export async function listLogs(db: Db, query: LogQuery, page: PageRequest): Promise<LogPage> {
  let selection = db
    .selectFrom('gateway_logs')
    .where('account_id', '=', query.accountId)
    .where('gateway_id', '=', query.gatewayId);
  if (query.model !== undefined) selection = selection.where('model', '=', query.model);
  if (query.provider !== undefined) selection = selection.where('provider', '=', query.provider);
  if (query.success !== undefined) {
    selection = selection.where('success', '=', query.success ? 1 : 0);
  }
  const rows = await selection
    .selectAll()
    .orderBy('id', query.direction)
    .limit(page.perPage)
    .offset(page.offset)
    .execute();
  const { count } = await selection
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, totalCount: count };
}

// A few milliseconds, so that writers and readers get their turn in between.
const ROWS_PER_PURGE = 500;

/**
 * Deletes some logs of an account that is gone. Uses the primary key.
 * @returns whether there may be more
 */
export async function purgeAccountLogs(db: Db, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from gateway_logs where (account_id, gateway_id, id) in (
      select account_id, gateway_id, id from gateway_logs
      where account_id = ${accountId} limit ${ROWS_PER_PURGE}
    )`.execute(db);
  return numAffectedRows === BigInt(ROWS_PER_PURGE);
}
