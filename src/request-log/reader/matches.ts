import { sql } from 'kysely';
import type { LogDialect } from '../log-dialect.ts';
import type { FilterValue, Operator } from '../log-query.ts';
import { type Condition, anyOf } from './scope-condition.ts';

/**
 * Returns the condition that a value matches a filter:
 * - `eq`: equals any value (`null` matches NULL)
 * - `neq`: equals none; NULL passes unless `null` is listed
 * - `contains`: any value is a substring
 * - `lt`, `gt`: compared bytewise for text; NULL never matches
 * @param expression of a text column for `contains`
 */
export function matches(
  dialect: LogDialect,
  expression: Condition,
  operator: Operator,
  values: readonly FilterValue[],
): Condition {
  const known = values.filter((value) => value !== null);
  switch (operator) {
    case 'eq':
      return isOneOf(expression, values);
    case 'neq':
      return sql`(${isOneOf(expression, values)}) is not true`;
    case 'contains':
      return anyOf(known.map((value) => contains(dialect, expression, String(value))));
    case 'lt':
      return anyOf(known.map((value) => sql`${expression} < ${value}`));
    case 'gt':
      return anyOf(known.map((value) => sql`${expression} > ${value}`));
  }
}

function isOneOf(expression: Condition, values: readonly FilterValue[]): Condition {
  const known = values.filter((value) => value !== null);
  const conditions: Condition[] = [];
  if (known.length > 0) conditions.push(sql`${expression} in (${sql.join(known)})`);
  if (known.length < values.length) conditions.push(sql`${expression} is null`);
  return anyOf(conditions);
}

/** Returns the condition that a text contains another one. */
export function contains(dialect: LogDialect, expression: Condition, part: string): Condition {
  return dialect.name === 'sqlite'
    ? sql`instr(${expression}, ${part}) > 0`
    : sql`strpos(${expression}, ${part}) > 0`;
}

/** Returns the same condition without regard to the case of ASCII letters, the only ones that both databases fold. */
export function containsInAnyCase(
  dialect: LogDialect,
  expression: Condition,
  part: string,
): Condition {
  const folded = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return contains(dialect, sql`lower(${expression})`, folded);
}
