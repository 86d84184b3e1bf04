import { sql } from 'kysely';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { FilterValue, LogFilter } from '../log-query.ts';
import { matches } from './matches.ts';
import { type Condition, allOf } from './scope-condition.ts';
import { type RowCondition, type IndexScan, metadataScan } from './index-scan.ts';

// Longer texts are truncated in gateway_log_metadata.
const MAX_WHOLE_LENGTH = 100;

type MetadataFilter = Extract<LogFilter, { on: 'metadata.key' | 'metadata.value' }>;

/** Filters on the same entry of the metadata. */
interface MetadataFilters {
  key: MetadataFilter | undefined;
  value: MetadataFilter | undefined;
}

function isNegated({ operator }: MetadataFilter): boolean {
  return operator === 'neq';
}

/**
 * Groups the filters on metadata. A filter on the value directly after one on the key applies to the value of this key.
 */
function groupMetadataFilters(filters: readonly LogFilter[]): MetadataFilters[] {
  const groups: MetadataFilters[] = [];
  let open: MetadataFilters | undefined;
  for (const filter of filters) {
    if (filter.on === 'metadata.key') {
      const group: MetadataFilters = { key: filter, value: undefined };
      groups.push(group);
      // A missing key has no value.
      open = isNegated(filter) || isAbsence(filter) ? undefined : group;
    } else if (filter.on === 'metadata.value') {
      if (open === undefined) groups.push({ key: undefined, value: filter });
      else open.value = filter;
      open = undefined;
    } else {
      open = undefined;
    }
  }
  return groups;
}

/** Selects rows without metadata. */
function isAbsence({ on, values }: MetadataFilter): boolean {
  return on === 'metadata.key' && values.includes(null);
}

/** Returns a value of a filter in the form of entries: a text unchanged, anything else as JSON. */
function entryText(value: FilterValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns the conditions of the filters on metadata for a row `e`:
 * - only a key or only a value: any entry has it; with `neq`: no entry has it
 * - a key and its value: the entry of this key has the value; with `neq`: it has another one
 * - the key null: there is no entry
 */
export function metadataConditions(
  dialect: LogDialect,
  scope: LogScope,
  filters: readonly LogFilter[],
): RowCondition[] {
  return groupMetadataFilters(filters).map((group) => {
    const condition = metadataCondition(dialect, group);
    const scan = scanOf(scope, group);
    return scan === undefined ? { condition } : { condition, scan };
  });
}

/** Returns the index scan for one key with any of some values, the order of gateway_log_metadata. */
function scanOf(scope: LogScope, { key, value }: MetadataFilters): IndexScan | undefined {
  if (key?.operator !== 'eq' || value?.operator !== 'eq' || key.values.length !== 1)
    return undefined;
  const name = entryText(key.values[0] ?? null);
  const values = value.values.map(entryText);
  const isWhole = [name, ...values].every((text) => text.length <= MAX_WHOLE_LENGTH);
  return isWhole ? metadataScan(scope, name, values) : undefined;
}

function metadataCondition(dialect: LogDialect, { key, value }: MetadataFilters): Condition {
  const asked: Condition[] = [];
  if (key !== undefined && value !== undefined) {
    asked.push(keyMatches(dialect, key), valueMatches(dialect, value, value.operator));
    return someEntry(dialect, asked);
  }
  const filter = key ?? value;
  if (filter === undefined) return sql`true`;
  const matching = (operator: MetadataFilter['operator']): Condition =>
    filter === key
      ? matches(
          dialect,
          sql`t.key`,
          operator,
          filter.values.filter((one) => one !== null),
        )
      : valueMatches(dialect, filter, operator);
  const positive = isNegated(filter) ? 'eq' : filter.operator;
  const some = someEntry(dialect, [matching(positive)]);
  const isOne =
    isAbsence(filter) && positive === 'eq' ? sql`(${some} or not ${someEntry(dialect, [])})` : some;
  return isNegated(filter) ? sql`not ${isOne}` : isOne;
}

function keyMatches(dialect: LogDialect, { operator, values }: MetadataFilter): Condition {
  return matches(dialect, sql`t.key`, operator, values);
}

function valueMatches(
  dialect: LogDialect,
  { values }: MetadataFilter,
  operator: MetadataFilter['operator'],
): Condition {
  return matches(dialect, sql`t.value`, operator, values.map(entryText));
}

/** Returns the condition that the metadata has an entry `t` that matches all of these. */
function someEntry(dialect: LogDialect, conditions: readonly Condition[]): Condition {
  return sql`exists (select 1 from (${entries(dialect)}) as t where ${allOf(conditions)})`;
}

/** Selects the entries of the metadata of `e` as texts. */
function entries({ name }: LogDialect): Condition {
  const metadata = sql`coalesce(e.metadata, '{}')`;
  if (name === 'postgres') {
    return sql`select j.key collate "C" as key, coalesce(j.value, 'null') collate "C" as value
      from json_each_text(${metadata}::json) as j`;
  }
  // The number 1e21 would become 1.0e+21.
  return sql`select j.key as key,
      case j.type when 'text' then j.value else coalesce(e.metadata -> j.fullkey, j.type) end as value
    from json_each(${metadata}) as j`;
}
