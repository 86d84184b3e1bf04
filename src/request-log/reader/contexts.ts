import { sql } from 'kysely';
import type { Db } from '../../storage/schema.ts';
import type { LogScope } from '../log-dialect.ts';
import { type Condition, allOf, inScope } from './scope-condition.ts';

/** The database itself looks up more contexts, in each statement. */
const MAX_LISTED_CONTEXTS = 20_000;

/** Counts all rows of a gateway. Uses the primary key, or a unique index. */
export async function countAll(db: Db, scope: LogScope): Promise<number> {
  const row = await db
    .selectFrom('gateway_log_gateways')
    .select('log_count')
    .where((eb) => eb.and(scope))
    .executeTakeFirst();
  return row?.log_count ?? 0;
}

/** Contexts with the same value. */
export interface ContextGroup {
  value: string | number | null;
  /** Number of their rows. */
  rowCount: number;
}

/**
 * Groups the matching contexts of a gateway by one of their columns. Scans the primary key.
 * @param conditions on contexts `c`
 * @param by undefined: one group
 */
export async function groupContexts(
  db: Db,
  scope: LogScope,
  conditions: readonly Condition[],
  by: string | undefined,
): Promise<ContextGroup[]> {
  const value = by === undefined ? sql`null` : sql.ref(`c.${by}`);
  const grouped = by === undefined ? sql`` : sql`group by ${value}`;
  const { rows } = await sql<{ value: string | number | null; row_count: number | null }>`
    select ${value} as value, cast(sum(c.log_count) as bigint) as row_count
    from gateway_log_contexts as c
    where ${inScope(scope, 'c')} and ${allOf(conditions)} ${grouped}`.execute(db);
  return rows.map((row) => ({
    value: row.value,
    rowCount: row.row_count ?? 0,
  }));
}

/** Returns the ids of contexts; undefined: there are too many to list. */
export async function listContexts(
  db: Db,
  scope: LogScope,
  conditions: readonly Condition[],
): Promise<number[] | undefined> {
  const { rows } = await sql<{ context_id: number }>`
    select c.context_id from gateway_log_contexts as c
    where ${inScope(scope, 'c')} and ${allOf(conditions)}
    limit ${MAX_LISTED_CONTEXTS + 1}`.execute(db);
  if (rows.length > MAX_LISTED_CONTEXTS) return undefined;
  return rows.map((row) => row.context_id);
}

/**
 * Returns the condition that the context of a row `e` matches. The sign in it prevents the use of the index on contexts.
 */
export function hasContext(scope: LogScope, conditions: readonly Condition[]): Condition {
  return sql`+e.context_id in (select c.context_id from gateway_log_contexts as c
    where ${inScope(scope, 'c')} and ${allOf(conditions)})`;
}
