import { sql } from 'kysely';
import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { LogFilter, RowField } from '../log-query.ts';
import { rangeOfMoment } from './id-range.ts';
import { contains, containsInAnyCase, matches } from './matches.ts';
import { metadataConditions } from './metadata-conditions.ts';
import { type Condition, anyOf, inScope } from './scope-condition.ts';
import { type RowCondition, columnScan } from './index-scan.ts';

/** The aliases in statements: a row is `e`, and a context `c`. */

const SEARCHED_FIELDS = ['model', 'provider', 'path'] as const;

/** Returns the conditions of filters on contexts. */
export function contextConditions(dialect: LogDialect, filters: readonly LogFilter[]): Condition[] {
  return filters.flatMap((filter) => {
    if (filter.on !== 'context') return [];
    const { field, operator, values } = filter;
    const column = sql.ref(`c.${field}`);
    const isNumber = field === 'status_code' || field === 'step' || field === 'success';
    // A narrow type would reject numbers beyond its range.
    const expression = isNumber || field === 'cached' ? sql`cast(${column} as bigint)` : column;
    return [matches(dialect, expression, operator, values)];
  });
}

/** Returns the conditions of filters on rows, besides the range of ids. */
export function rowConditions(
  dialect: LogDialect,
  scope: LogScope,
  filters: readonly LogFilter[],
): RowCondition[] {
  const conditions = filters.flatMap((filter) => rowCondition(dialect, scope, filter) ?? []);
  return [...conditions, ...metadataConditions(dialect, scope, filters)];
}

function rowCondition(
  dialect: LogDialect,
  scope: LogScope,
  filter: LogFilter,
): RowCondition | undefined {
  switch (filter.on) {
    case 'row': {
      const { field, operator, values } = filter;
      const condition = matches(dialect, rowExpression(field), operator, values);
      const known = values.filter((value) => value !== null);
      const isIndexed = field === 'event_id' || field === 'feedback';
      if (!isIndexed || operator !== 'eq' || known.length < values.length) return { condition };
      return { condition, scan: columnScan(scope, field, known) };
    }
    case 'id': {
      const condition = idCondition(dialect, filter.operator, filter.values);
      return condition && { condition };
    }
    case 'created_at': {
      const condition = momentCondition(dialect, filter.operator, filter.values);
      return condition && { condition };
    }
    case 'context':
    case 'metadata.key':
    case 'metadata.value':
      return undefined;
  }
}

/** Returns the SQL expression of a field. */
export function rowExpression(field: RowField): Condition {
  if (field === 'tokens') {
    // The sum of the known counts.
    return sql`case when e.tokens_in is null then e.tokens_out
      else e.tokens_in + coalesce(e.tokens_out, 0) end`;
  }
  if (field === 'score') return sql`e.score`;
  // No index must be used for it.
  if (field === 'event_id') return sql`(e.event_id || '')`;
  // A narrow type would reject numbers beyond its range.
  return sql`cast(${sql.ref(`e.${field}`)} as bigint)`;
}

function idCondition(
  dialect: LogDialect,
  operator: string,
  values: readonly string[],
): Condition | undefined {
  const ids = (): LogIdColumn[] => values.map((value) => dialect.toColumn(value));
  switch (operator) {
    case 'eq':
      // A single value is a range.
      return values.length > 1 ? sql`e.id in (${sql.join(ids())})` : undefined;
    case 'neq':
      return sql`e.id not in (${sql.join(ids())})`;
    case 'contains':
      return anyOf(values.map((value) => contains(dialect, idText(dialect), value)));
    default:
      return undefined;
  }
}

function idText({ name }: LogDialect): Condition {
  if (name === 'postgres') return sql`cast(e.id as text)`;
  const part = (start: number, length: number): Condition =>
    sql`substr(lower(hex(e.id)), ${sql.lit(start)}, ${sql.lit(length)})`;
  const parts = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)];
  return sql`(${sql.join(parts, sql` || '-' || `)})`;
}

function momentCondition(
  dialect: LogDialect,
  operator: string,
  values: readonly number[],
): Condition | undefined {
  if (operator === 'lt' || operator === 'gt') return undefined;
  if (operator === 'eq' && values.length === 1) return undefined;
  const isOne = anyOf(
    values.map((value) => {
      const { from, until } = rangeOfMoment(value);
      return sql`(e.id >= ${dialect.toColumn(from)} and e.id < ${dialect.toColumn(until)})`;
    }),
  );
  return operator === 'eq' ? isOne : sql`not ${isOne}`;
}

/** Returns the condition that the metadata or the context of a row contains a text. */
export function searchCondition(dialect: LogDialect, scope: LogScope, search: string): Condition {
  return sql`(${searchedMetadata(dialect, search)}
    or e.context_id in (
      select c.context_id from gateway_log_contexts as c
      where ${inScope(scope, 'c')} and ${searchedContext(dialect, search)}))`;
}

/** Returns the condition that the metadata of a row contains a text, as JSON encodes it. */
export function searchedMetadata(dialect: LogDialect, search: string): Condition {
  const part = JSON.stringify(search).slice(1, -1);
  return containsInAnyCase(dialect, sql`coalesce(e.metadata, '')`, part);
}

/** Returns the condition that a searched column of a context contains a text. */
export function searchedContext(dialect: LogDialect, search: string): Condition {
  return anyOf(
    SEARCHED_FIELDS.map((field) => containsInAnyCase(dialect, sql.ref(`c.${field}`), search)),
  );
}
