import { type RawBuilder, sql } from 'kysely';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { Db } from '../../storage/schema.ts';
import { foldCase } from '../store/fold.ts';
import { type Term, keyTerm, valueTerm } from '../store/tag-terms.ts';
import { valueKeyOf } from '../store/value-key.ts';
import { pauseIfLarge } from '../event-loop-turns.ts';
import type { TagFilter } from './tag-filter.ts';

/** A filter in terms of what is stored: a resource must be in one of these sets, or in none of them. */
export interface ResolvedFilter {
  negated: boolean;
  terms: Term[];
  /** Whether all terms are of one key, of which a resource can have but one value. */
  isOfOneKey: boolean;
  /** How many resources of the account are in the sets. One that is in several counts several times. */
  count: number;
  /** The same of the wanted types alone. */
  wantedCount: number;
}

export interface Resolution {
  filters: ResolvedFilter[];
  /** How many resources of the account have tags. */
  count: number;
  /** How many of the wanted types. */
  wantedCount: number;
  /** The last place that a resource was given. */
  lastSeq: number;
}

// A case-insensitive filter matches every spelling in use. Real ones have a few; so many counts take
// some ms to read.
const MAX_SPELLED_ROWS = 2_500;

/** Rows that are not of a filter have one of these in the place of its index. */
const TYPES = -1;
const HEAD = -2;

interface CountRow {
  filter: number;
  /** Null for a filter of exact spelling, whose terms are known. */
  key: string | null;
  value_key: string | null;
  /** For {@link HEAD} the last place. */
  resource_count: number;
  wanted_count: number;
  /** How many rows were added up. */
  row_count: number;
}

/**
 * Looks up which sets the filters are about, and how many resources are in them. It is one statement,
 * so that all counts are of the same moment and can be compared.
 * @param types the wanted resource types; none: all
 * @throws ApiError 6010 when case-insensitive filters match too many spellings
 */
export async function resolveFilters(
  db: Db,
  accountId: string,
  filters: readonly TagFilter[],
  { types, caseInsensitive }: { types: readonly string[]; caseInsensitive: boolean },
): Promise<Resolution> {
  const rows = await readCounts(db, accountId, filters, { types, caseInsensitive });
  const rowsOf = Map.groupBy(rows, (row) => row.filter);
  const total = rowsOf.get(TYPES)?.[0];
  return {
    filters: filters.map((filter, index) => {
      const found = rowsOf.get(index) ?? [];
      return caseInsensitive ? spelledFilter(filter, found) : exactFilter(filter, found);
    }),
    count: total?.resource_count ?? 0,
    wantedCount: total?.wanted_count ?? 0,
    lastSeq: rowsOf.get(HEAD)?.[0]?.resource_count ?? 0,
  };
}

async function readCounts(
  db: Db,
  accountId: string,
  filters: readonly TagFilter[],
  { types, caseInsensitive }: { types: readonly string[]; caseInsensitive: boolean },
): Promise<CountRow[]> {
  const stored = filters.map((filter, index) => {
    const source = caseInsensitive
      ? storedInAnyCase(accountId, filter)
      : storedExactly(accountId, filter);
    return sql`select ${sql.lit(index)} as filter, ${source}`;
  });
  stored.push(
    sql`select ${sql.lit(TYPES)} as filter, ${NOTHING} as key, ${NOTHING} as value_key,
      resource_type, resource_count from tagged_types where account_id = ${accountId}`,
    sql`select ${sql.lit(HEAD)} as filter, ${NOTHING} as key, ${NOTHING} as value_key,
      '' as resource_type, last_seq as resource_count from tag_heads where account_id = ${accountId}`,
  );
  // Exact filters have no more rows than they have values, times the resource types.
  const bound = caseInsensitive ? sql`limit ${sql.lit(MAX_SPELLED_ROWS + 1)}` : sql``;
  const sum = sql`cast(sum(resource_count) as bigint)`;
  // Counts are stored by resource type.
  const wanted =
    types.length === 0
      ? sum
      : sql`cast(coalesce(sum(case when resource_type in (${sql.join(types)})
          then resource_count end), 0) as bigint)`;
  const { rows } = await sql<CountRow>`
    select filter, key, value_key, ${sum} as resource_count, ${wanted} as wanted_count,
      count(*) as row_count
    from (${sql.join(stored, sql` union all `)} ${bound}) as stored
    group by filter, key, value_key`.execute(db);
  const rowCount = rows.reduce((count, row) => count + row.row_count, 0);
  if (caseInsensitive && rowCount > MAX_SPELLED_ROWS) throw tooManySpellings();
  await pauseIfLarge(rowCount);
  return rows;
}

const NOTHING = sql`cast(null as text)`;

/** Uses the primary keys of `tag_keys` and `tag_values`. */
function storedExactly(accountId: string, { key, values }: TagFilter): RawBuilder<unknown> {
  const columns = sql`${NOTHING} as key, ${NOTHING} as value_key, resource_type, resource_count`;
  if (values === undefined) {
    return sql`${columns} from tag_keys where account_id = ${accountId} and key = ${key}`;
  }
  return sql`${columns} from tag_values where account_id = ${accountId} and key = ${key}
    and value_key in (${sql.join(values.map(valueKeyOf))})`;
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
    return sql`v.key, ${NOTHING} as value_key, v.resource_type, v.resource_count
      from tag_keys as f cross join tag_keys as v where ${isFolded} and ${isSame}`;
  }
  const folded = values.map((value) => valueKeyOf(foldCase(value)));
  return sql`v.key, v.value_key, v.resource_type, v.resource_count
    from tag_values as f cross join tag_values as v
    where ${isFolded} and f.value_folded in (${sql.join(folded)})
    and ${isSame} and v.value_key = f.value_key`;
}

/** All terms, also those of no resource: one may come to a value while others are looked up. */
function exactFilter({ key, values, negated }: TagFilter, found: CountRow[]): ResolvedFilter {
  return {
    negated,
    terms: values?.map((value) => valueTerm(key, valueKeyOf(value))) ?? [keyTerm(key)],
    isOfOneKey: true,
    count: found[0]?.resource_count ?? 0,
    wantedCount: found[0]?.wanted_count ?? 0,
  };
}

function spelledFilter({ negated }: TagFilter, found: CountRow[]): ResolvedFilter {
  return {
    negated,
    terms: found.map(({ key, value_key: valueKey }) =>
      valueKey === null ? keyTerm(key ?? '') : valueTerm(key ?? '', valueKey),
    ),
    isOfOneKey: found.every(({ key }) => key === found[0]?.key),
    count: found.reduce((sum, row) => sum + row.resource_count, 0),
    wantedCount: found.reduce((sum, row) => sum + row.wanted_count, 0),
  };
}

function tooManySpellings(): Error {
  return apiError(httpErrors.invalidParameter, {
    message: 'Invalid request parameter: case_insensitive matches too many variants of these tags',
    pointer: 'case_insensitive',
  });
}
