import { type RawBuilder, sql } from 'kysely';
import type { LogScope } from '../log-dialect.ts';

/** A condition in SQL. */
export type Condition = RawBuilder<unknown>;

/** Returns the condition that a row belongs to the gateway; the table has its alias in the statement. */
export function inScope(scope: LogScope, table: string): Condition {
  return allOf(
    Object.entries(scope).map(
      ([column, value]) => sql`${sql.ref(`${table}.${column}`)} = ${value as unknown}`,
    ),
  );
}

/** Joins conditions with `and`. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** Joins conditions with `or`. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`;
}
