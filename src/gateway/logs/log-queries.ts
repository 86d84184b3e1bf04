import { CompiledQuery, sql } from 'kysely';
import { leastUuidV7 } from '../../lib/ids.ts';
import type { PageRequest } from '../../http/paging.ts';
import type { GatewayLogsTable } from '../../storage/gateway-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogPage, LogQuery, LogRow } from './log-store.ts';

// Every column, in the order in which a row's values are sent.
const COLUMNS = [
  'account_id',
  'gateway_id',
  'id',
  'created_at',
  'duration_ms',
  'ttft_ms',
  'provider',
  'model',
  'path',
  'status_code',
  'success',
  'tokens_in',
  'tokens_out',
  'request_type',
  'request_content_type',
  'response_content_type',
  'token_id',
  'cached',
  'step',
  'attempts',
  'cache_tokens',
  'cost_nano_usd',
  'custom_cost',
  'metadata',
  'event_id',
  'user_id',
  'oauth_client_id',
] as const satisfies readonly (keyof GatewayLogsTable)[];

// Both databases allow at least 32,766 parameters in a statement; more rows make it no faster.
const ROWS_PER_STATEMENT = 50;

/** The values of a row, in the order of the columns: a third of what the row is with their names. */
export type LogValues = (string | number | null)[];

export function logValues(row: LogRow): LogValues {
  return COLUMNS.map((column) => row[column] ?? null);
}

/** Writes log rows. */
export type InsertLogs = (db: Db, rows: readonly LogValues[]) => Promise<void>;

/**
 * The insertion of log rows into one kind of database. Its statements are built once each: rows come
 * by the thousand, and building a statement costs more than running it.
 */
export function createInsertLogs(): InsertLogs {
  const statements = new Map<number, string>();
  const statementFor = (db: Db, rows: number): string => {
    const known = statements.get(rows);
    if (known !== undefined) return known;
    const any = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as unknown as LogRow;
    const { sql: text } = db
      .insertInto('gateway_logs')
      .values(Array.from({ length: rows }, () => any))
      // A batch that is written again after a lost answer must not fail.
      .onConflict((conflict) => conflict.doNothing())
      .compile();
    statements.set(rows, text);
    return text;
  };
  // `db` is an open transaction, so that the batch is written all or nothing.
  return async (db, rows) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const some = rows.slice(start, start + ROWS_PER_STATEMENT);
      await db.executeQuery(CompiledQuery.raw(statementFor(db, some.length), some.flat()));
    }
  };
}

/** One page of a gateway's logs in the order of time. Walks the primary key. */
export async function listLogs(db: Db, query: LogQuery, page: PageRequest): Promise<LogPage> {
  let selection = db
    .selectFrom('gateway_logs')
    .where('account_id', '=', query.accountId)
    .where('gateway_id', '=', query.gatewayId)
    .where('created_at', '>=', query.sinceMs);
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

/**
 * Deletes some logs of a gateway of requests that came in before a moment. Walks the primary key as far
 * as these are: an id begins with that time.
 * @returns whether there may be more
 */
export async function purgeGatewayLogs(
  db: Db,
  accountId: string,
  gatewayId: string,
  beforeMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from gateway_logs where (account_id, gateway_id, id) in (
      select account_id, gateway_id, id from gateway_logs
      where account_id = ${accountId} and gateway_id = ${gatewayId}
        and id < ${leastUuidV7(beforeMs)} limit ${ROWS_PER_PURGE}
    )`.execute(db);
  return numAffectedRows === BigInt(ROWS_PER_PURGE);
}
