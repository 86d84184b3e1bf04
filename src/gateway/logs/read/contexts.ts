import { sql } from 'kysely';
import type { Db } from '../../../storage/schema.ts';
import type { LogScope } from '../log-dialect.ts';
import { type Condition, allOf, inScope } from './scope-condition.ts';

/** More are looked up by the database itself, each time. */
const MAX_LISTED_CONTEXTS = 20_000;

/** How many rows a gateway has in all. Uses the primary key, or that it is unique. */
export async function countAll(db: Db, scope: LogScope): Promise<number> {
  const row = await db
    .selectFrom('gateway_log_gateways')
    .select('log_count')
    .where((eb) => eb.and(scope))
    .executeTakeFirst();
  return row?.log_count ?? 0;
}

/** Contexts that have a value in common. */
export interface ContextGroup {
  value: string | number | null;
  /** Their rows together. */
  rowCount: number;
}

/**
 * Groups the contexts of a gateway that meet some conditions by one of their columns. Walks the primary
 * key.
 * @param conditions on contexts `c`
 * @param by undefined: all are one group
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

/** The ids of contexts; undefined when they are too many to be listed. */
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
 * That the context of a row `e` is one of those. It must not be what the row is found by: the sign keeps
 * the index on contexts out of it.
 */
export function hasContext(scope: LogScope, conditions: readonly Condition[]): Condition {
  return sql`+e.context_id in (select c.context_id from gateway_log_contexts as c
    where ${inScope(scope, 'c')} and ${allOf(conditions)})`;
}
