import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/schema.ts';
import { endOfPrefix, indexedPrefix } from '../store/value-key.ts';

// The keys and values in use. Each row of the count tables is a key or value in use.

/** The requested part of a list of keys or values. */
export interface VocabularyRange {
  /** The requested resource types; undefined: all. */
  types: readonly string[] | undefined;
  /** Case-sensitive; empty: everything. */
  prefix: string;
  /** The last key, or value key, of the previous page; undefined: none. */
  after: string | undefined;
  limit: number;
}

export interface ValueInUse {
  value: string;
  valueKey: string;
  /** The number of resources of the requested types with this value. */
  count: number;
}

/** Returns the keys in use, in order. Uses the primary key of `tag_keys`, or `tag_keys_type`. */
export async function listKeys(
  db: Db,
  accountId: string,
  range: VocabularyRange,
): Promise<string[]> {
  const bounds = boundsOf(sql`key`, range.prefix, range.after);
  const source = ofTypes(range, sql`key`, (ofType) => {
    return sql`select key from tag_keys where account_id = ${accountId}${ofType}${bounds}`;
  });
  const { rows } = await sql<{ key: string }>`
    select key from (${source}) as source
    group by key order by key limit ${range.limit}`.execute(db);
  return rows.map((row) => row.key);
}

/**
 * Returns the values in use of one key, in the order of their value keys, which is the order of the values except for
 * those with the same long beginning. Uses the primary key of `tag_values`, or `tag_values_type`.
 */
export async function listValues(
  db: Db,
  accountId: string,
  key: string,
  range: VocabularyRange,
): Promise<ValueInUse[]> {
  const found: ValueInUse[] = [];
  const prefix = range.prefix.normalize('NFC');
  let { after } = range;
  for (;;) {
    const batch = await readValues(db, accountId, key, { ...range, prefix, after });
    // The index contains only the beginning of a long value.
    found.push(...batch.filter(({ value }) => value.normalize('NFC').startsWith(prefix)));
    if (batch.length < range.limit || found.length >= range.limit) {
      return found.slice(0, range.limit);
    }
    after = batch.at(-1)?.valueKey;
    await yieldToEventLoop();
  }
}

async function readValues(
  db: Db,
  accountId: string,
  key: string,
  range: VocabularyRange,
): Promise<ValueInUse[]> {
  const bounds = boundsOf(sql`value_key`, indexedPrefix(range.prefix), range.after);
  // The first values of all types are among the first of each, so that these counts are whole.
  const source = ofTypes(range, sql`value_key`, (ofType) => {
    return sql`select value_key, resource_count from tag_values
      where account_id = ${accountId} and key = ${key}${ofType}${bounds}`;
  });
  const value = sql`(select min(v.value) from tag_values as v where v.account_id = ${accountId}
    and v.key = ${key} and v.value_key = source.value_key)`;
  const { rows } = await sql<{ value_key: string; value: string; count: number }>`
    select value_key, ${value} as value, cast(sum(resource_count) as bigint) as count
    from (${source}) as source
    group by value_key order by value_key limit ${range.limit}`.execute(db);
  return rows.map((row) => ({ value: row.value, valueKey: row.value_key, count: row.count }));
}

function boundsOf(
  column: RawBuilder<unknown>,
  prefix: string,
  after: string | undefined,
): RawBuilder<unknown> {
  const conditions = [sql``];
  if (after !== undefined) conditions.push(sql`${column} > ${after}`);
  if (prefix !== '') conditions.push(sql`${column} >= ${prefix}`);
  const end = endOfPrefix(prefix);
  if (end !== undefined) conditions.push(sql`${column} < ${end}`);
  return sql.join(conditions, sql` and `);
}

/** SQLite accepts 500 parts of a statement. */
const MAX_TYPES_APART = 100;

/**
 * Returns the rows of the requested types. It reads each type separately, in order and up to the limit, so that it skips
 * the rows of other types. It reads a large number of types together.
 * @param selectOf returns the selection with a condition on the type
 */
function ofTypes(
  { types, limit }: VocabularyRange,
  order: RawBuilder<unknown>,
  selectOf: (ofType: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (types === undefined) return selectOf(sql``);
  if (types.length === 0) return selectOf(sql` and 1 = 0`);
  if (types.length > MAX_TYPES_APART) {
    return selectOf(sql` and resource_type in (${sql.join(types)})`);
  }
  const reads = types.map(
    (type, index) =>
      sql`select * from (${selectOf(sql` and resource_type = ${type}`)}
        order by ${order} limit ${limit}) as ${sql.ref(`t${index}`)}`,
  );
  return sql.join(reads, sql` union all `);
}

/** Counts the tagged resources of each type, without types that have none. */
export async function countTypes(db: Db, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('tagged_types')
    .select(['resource_type', 'resource_count'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map((row) => [row.resource_type, row.resource_count]));
}

export interface KeySummary {
  key: string;
  /** The first values in use, in order. */
  values: ValueCount[];
  /** The number of resources with the key. */
  count: number;
}

export interface ValueCount {
  value: string;
  /** The number of resources with the value. */
  count: number;
}

/** The maximum size of a page of the summary. */
export interface SummaryLimits {
  valuesPerKey: number;
  /** UTF-16 units of all values of the page. A single key can exceed it. */
  characters: number;
}

export interface SummaryPage {
  keys: KeySummary[];
  /** The last key of the page; undefined for the last page. */
  next: string | undefined;
}

/** Keys whose values one statement reads. On SQLite, long values take about 10 ms. */
const KEYS_PER_STATEMENT = 5;

/**
 * Returns keys in use with their first values, and fewer keys if the values are long. Uses the primary keys of
 * `tag_keys` and `tag_values`, or for some types `tag_keys_type` and `tag_values_type`.
 */
export async function summarizeKeys(
  db: Db,
  accountId: string,
  range: VocabularyRange,
  limits: SummaryLimits,
): Promise<SummaryPage> {
  // One more key shows that there is a next page.
  const counted = await countKeys(db, accountId, { ...range, limit: range.limit + 1 });
  const wanted = counted.slice(0, range.limit);
  const keys: KeySummary[] = [];
  let characters = 0;
  for (let start = 0; start < wanted.length; start += KEYS_PER_STATEMENT) {
    if (start > 0) await yieldToEventLoop();
    const some = wanted.slice(start, start + KEYS_PER_STATEMENT);
    await addFirstValues(db, accountId, some, { types: range.types, limit: limits.valuesPerKey });
    for (const summary of some) {
      for (const { value } of summary.values) characters += value.length;
      if (characters > limits.characters && keys.length > 0) {
        return { keys, next: keys.at(-1)?.key };
      }
      keys.push(summary);
    }
  }
  return { keys, next: counted.length > wanted.length ? keys.at(-1)?.key : undefined };
}

/** Returns keys in use without their values. */
async function countKeys(db: Db, accountId: string, range: VocabularyRange): Promise<KeySummary[]> {
  const bounds = boundsOf(sql`key`, range.prefix, range.after);
  // The first keys of all types are among the first of each, so that these counts are whole.
  const source = ofTypes(range, sql`key`, (ofType) => {
    return sql`select key, resource_count from tag_keys
      where account_id = ${accountId}${ofType}${bounds}`;
  });
  const { rows } = await sql<{ key: string; count: number }>`
    select key, cast(sum(resource_count) as bigint) as count from (${source}) as source
    group by key order by key limit ${range.limit}`.execute(db);
  return rows.map(({ key, count }): KeySummary => ({ key, values: [], count }));
}

async function addFirstValues(
  db: Db,
  accountId: string,
  summaries: readonly KeySummary[],
  { types, limit }: Pick<VocabularyRange, 'types' | 'limit'>,
): Promise<void> {
  if (types === undefined) {
    await addFirstValuesOfAll(db, accountId, summaries, limit);
    return;
  }
  // Key by key: one statement for all types of several keys would have too many parts.
  for (const { key, values } of summaries) {
    await yieldToEventLoop();
    const range = { types, prefix: '', after: undefined, limit };
    values.push(...(await listValues(db, accountId, key, range)));
  }
}

async function addFirstValuesOfAll(
  db: Db,
  accountId: string,
  summaries: readonly KeySummary[],
  maxValues: number,
): Promise<void> {
  const reads = summaries.map(
    ({ key }, index) =>
      sql`select ${sql.lit(index)} as place, value_key, value, count from (
        select value_key, min(value) as value, cast(sum(resource_count) as bigint) as count
        from tag_values where account_id = ${accountId} and key = ${key}
        group by value_key order by value_key limit ${maxValues}) as ${sql.ref(`k${index}`)}`,
  );
  const { rows } = await sql<ValueCount & { place: number }>`
    select place, value, count from (${sql.join(reads, sql` union all `)}) as firsts
    order by place, value_key`.execute(db);
  for (const { place, value, count } of rows) summaries[place]?.values.push({ value, count });
}
