import { sql } from 'kysely';
import type { LogDialect } from '../log-dialect.ts';
import type { FilterValue, Operator } from '../log-query.ts';
import { type Condition, anyOf } from './scope-condition.ts';

/**
 * That a value meets a condition. This is what the operators mean, whatever they are used on:
 * - `eq`: it is one of the values; null is what is not known
 * - `neq`: it is none of them, so that what is not known meets it unless null is one of them
 * - `contains`: one of them is a part of it, to the letter
 * - `lt`, `gt`: it is less, or greater, than one of them; texts by their bytes. What is not known is not
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

/** That a text has another as a part. */
export function contains(dialect: LogDialect, expression: Condition, part: string): Condition {
  return dialect.name === 'sqlite'
    ? sql`instr(${expression}, ${part}) > 0`
    : sql`strpos(${expression}, ${part}) > 0`;
}

/** That it has it in any case of the letters that ASCII has: both databases know no others. */
export function containsInAnyCase(
  dialect: LogDialect,
  expression: Condition,
  part: string,
): Condition {
  const folded = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return contains(dialect, sql`lower(${expression})`, folded);
}
