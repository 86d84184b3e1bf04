import { type RawBuilder, sql } from 'kysely';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { Db } from '../../storage/schema.ts';
import { foldCase } from '../store/fold.ts';
import type { TagFilter } from './tag-filter.ts';
import { valueKeyOf } from '../store/value-key.ts';

/** A key, or a key with one value, exactly as it is stored. */
export interface StoredTag {
  key: string;
  /** Undefined: whatever value. */
  valueKey: string | undefined;
}

/** A filter in terms of what is stored: one of these tags must be there, or none of them. */
export interface ResolvedFilter {
  negated: boolean;
  tags: StoredTag[];
  /** How many resources of the account have one of the tags. One with several counts several times. */
  count: number;
  /** The same of the wanted types alone. */
  wantedCount: number;
}

export interface Resolution {
  filters: ResolvedFilter[];
  /** How many resources of the wanted types have tags. */
  total: number;
}

// A case-insensitive filter matches every spelling in use. Real ones have a few; the exact filters of
// one request alone come to some 10,000 rows, when every value is in use with every resource type.
const MAX_ROWS = 20_000;

interface CountRow {
  /** Index of the filter; -1 for the counts of resource types. */
  filter: number;
  key: string | null;
  value_key: string | null;
  resource_type: string;
  resource_count: number;
}

const NOTHING = sql`cast(null as text)`;

/**
 * Looks up which stored tags the filters are about, and on how many resources they are. A tag that no
 * resource of the wanted types has is left out, so that a filter may be left with none. It is one
 * statement, so that all counts are of the same moment and can be compared.
 * @param types the wanted resource types; none: all
 * @throws ApiError 6010 when case-insensitive filters match too many spellings
 */
export async function resolveFilters(
  db: Db,
  accountId: string,
  filters: readonly TagFilter[],
  options: { types: readonly string[]; caseInsensitive: boolean },
): Promise<Resolution> {
  const isWanted = ({ resource_type: type }: CountRow): boolean =>
    options.types.length === 0 || options.types.includes(type);
  const reads = filters.map((filter, index) => {
    const stored = options.caseInsensitive
      ? storedInAnyCase(accountId, filter)
      : storedExactly(accountId, filter);
    const valueKey = filter.values === undefined ? NOTHING : sql`v.value_key`;
    return sql`select ${sql.lit(index)} as filter, v.key as key, ${valueKey} as value_key,
      v.resource_type as resource_type, v.resource_count as resource_count from ${stored}`;
  });
  reads.push(sql`select -1 as filter, ${NOTHING} as key, ${NOTHING} as value_key,
    resource_type, resource_count from tagged_types where account_id = ${accountId}`);
  const { rows } = await sql<CountRow>`
    ${sql.join(reads, sql` union all `)} limit ${sql.lit(MAX_ROWS + 1)}`.execute(db);
  if (rows.length > MAX_ROWS) throw tooManySpellings();
  const rowsOf = Map.groupBy(rows, (row) => row.filter);
  return {
    filters: filters.map(({ negated }, index) => addUp(rowsOf.get(index) ?? [], negated, isWanted)),
    total: sumOf((rowsOf.get(-1) ?? []).filter(isWanted)),
  };
}

/** Adds up the counts of one filter, which are stored by resource type. */
function addUp(
  rows: readonly CountRow[],
  negated: boolean,
  isWanted: (row: CountRow) => boolean,
): ResolvedFilter {
  const resolved: ResolvedFilter = { negated, tags: [], count: 0, wantedCount: 0 };
  const byTag = Map.groupBy(rows, (row) => JSON.stringify([row.key, row.value_key]));
  for (const group of byTag.values()) {
    const [first] = group;
    const wanted = group.filter(isWanted);
    if (first === undefined || first.key === null || wanted.length === 0) continue;
    resolved.tags.push({ key: first.key, valueKey: first.value_key ?? undefined });
    resolved.count += sumOf(group);
    resolved.wantedCount += sumOf(wanted);
  }
  return resolved;
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, row) => sum + row.resource_count, 0);
}

/** Uses the primary keys of `tag_keys` and `tag_values`. */
function storedExactly(accountId: string, { key, values }: TagFilter): RawBuilder<unknown> {
  if (values === undefined) {
    return sql`tag_keys as v where v.account_id = ${accountId} and v.key = ${key}`;
  }
  return sql`tag_values as v where v.account_id = ${accountId} and v.key = ${key}
    and v.value_key in (${sql.join(values.map(valueKeyOf))})`;
}

/**
 * Uses `tag_keys_folded` and `tag_values_folded`, and only then the primary keys for the counts: an
 * index that has to be followed to the table for them looks dearer than it is, and all rows of the
 * account would be read instead. On SQLite a cross join keeps that order.
 */
function storedInAnyCase(accountId: string, { key, values }: TagFilter): RawBuilder<unknown> {
  const isFolded = sql`f.account_id = ${accountId} and f.key_folded = ${foldCase(key)}`;
  const isSame = sql`v.account_id = f.account_id and v.key = f.key
    and v.resource_type = f.resource_type`;
  if (values === undefined) {
    return sql`tag_keys as f cross join tag_keys as v where ${isFolded} and ${isSame}`;
  }
  const folded = values.map((value) => valueKeyOf(foldCase(value)));
  return sql`tag_values as f cross join tag_values as v
    where ${isFolded} and f.value_folded in (${sql.join(folded)})
    and ${isSame} and v.value_key = f.value_key`;
}

function tooManySpellings(): Error {
  return apiError(httpErrors.invalidParameter, {
    message: 'Invalid request parameter: case_insensitive matches too many spellings of these tags',
    pointer: 'case_insensitive',
  });
}
