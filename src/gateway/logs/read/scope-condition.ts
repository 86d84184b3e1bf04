import { type RawBuilder, sql } from 'kysely';
import type { LogScope } from '../log-dialect.ts';

/** A condition in SQL. */
export type Condition = RawBuilder<unknown>;

/** That a row of a table, named as it is in the statement, is one of the gateway. */
export function inScope(scope: LogScope, table: string): Condition {
  return allOf(
    Object.entries(scope).map(
      ([column, value]) => sql`${sql.ref(`${table}.${column}`)} = ${value as unknown}`,
    ),
  );
}

/** That all of these hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** That one of these holds. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`;
}
