import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../storage/schema.ts';
import { endOfPrefix, indexedPrefix } from '../store/value-key.ts';

// The keys and values in use. Read from the counts alone: a row there is a key or value in use.

/** Which part of a list of keys or values is wanted. */
export interface VocabularyRange {
  /** The wanted resource types; undefined: all. */
  types: readonly string[] | undefined;
  /** Case-sensitive; empty: everything. */
  prefix: string;
  /** The key, or value key, after which to begin; undefined: at the first. */
  after: string | undefined;
  limit: number;
}

export interface ValueInUse {
  value: string;
  valueKey: string;
}

/** Keys in use, in order. Uses the primary key of `tag_keys`, or `tag_keys_type`. */
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
 * Values in use of one key, in order of their value keys, which is that of the values but for those
 * with the same long beginning. Uses the primary key of `tag_values`, or `tag_values_type`.
 */
export async function listValues(
  db: Db,
  accountId: string,
  key: string,
  range: VocabularyRange,
): Promise<ValueInUse[]> {
  const found: ValueInUse[] = [];
  let { after } = range;
  for (;;) {
    const batch = await readValues(db, accountId, key, { ...range, after });
    // The index knows but the beginning of a long value. Where that decides, nothing is dropped here.
    found.push(...batch.filter(({ value }) => value.startsWith(range.prefix)));
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
  const source = ofTypes(range, sql`value_key`, (ofType) => {
    return sql`select value_key from tag_values
      where account_id = ${accountId} and key = ${key}${ofType}${bounds}`;
  });
  const value = sql`(select v.value from tag_values as v where v.account_id = ${accountId}
    and v.key = ${key} and v.value_key = source.value_key limit 1)`;
  const { rows } = await sql<{ value_key: string; value: string }>`
    select value_key, ${value} as value from (${source}) as source
    group by value_key order by value_key limit ${range.limit}`.execute(db);
  return rows.map((row) => ({ value: row.value, valueKey: row.value_key }));
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

/**
 * The rows of the wanted types, or of all. Each type is read by itself, in order and up to the limit
 * only: whatever lies between the rows of one type is never visited.
 * @param selectOf the selection, with a condition on the type put in
 */
function ofTypes(
  { types, limit }: VocabularyRange,
  order: RawBuilder<unknown>,
  selectOf: (ofType: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (types === undefined) return selectOf(sql``);
  if (types.length === 0) return selectOf(sql` and 1 = 0`);
  const reads = types.map(
    (type, index) =>
      sql`select * from (${selectOf(sql` and resource_type = ${type}`)}
        order by ${order} limit ${limit}) as ${sql.ref(`t${index}`)}`,
  );
  return sql.join(reads, sql` union all `);
}

export interface KeySummary {
  key: string;
  /** The first values in use, in order. */
  values: string[];
  /** How many resources have the key. */
  count: number;
}

/** Keys whose values one statement reads, so that none takes long on the embedded database. */
const KEYS_PER_STATEMENT = 20;

/**
 * Keys in use with their first values. Uses the primary keys of `tag_keys` and `tag_values`, or for
 * some types `tag_keys_type` and `tag_values_type`.
 */
export async function summarizeKeys(
  db: Db,
  accountId: string,
  range: VocabularyRange,
  maxValues: number,
): Promise<KeySummary[]> {
  const bounds = boundsOf(sql`key`, range.prefix, range.after);
  // The first keys of all types are among the first of each, so that these counts are whole.
  const source = ofTypes(range, sql`key`, (ofType) => {
    return sql`select key, resource_count from tag_keys
      where account_id = ${accountId}${ofType}${bounds}`;
  });
  const { rows } = await sql<{ key: string; count: number }>`
    select key, cast(sum(resource_count) as bigint) as count from (${source}) as source
    group by key order by key limit ${range.limit}`.execute(db);
  const summaries = rows.map(({ key, count }): KeySummary => ({ key, values: [], count }));
  if (range.types !== undefined) {
    await addFirstValuesOfTypes(db, accountId, summaries, { types: range.types, limit: maxValues });
    return summaries;
  }
  for (let start = 0; start < summaries.length; start += KEYS_PER_STATEMENT) {
    if (start > 0) await yieldToEventLoop();
    const some = summaries.slice(start, start + KEYS_PER_STATEMENT);
    await addFirstValues(db, accountId, some, maxValues);
  }
  return summaries;
}

/** Key by key: one statement for all types of several keys would have too many parts. */
async function addFirstValuesOfTypes(
  db: Db,
  accountId: string,
  summaries: readonly KeySummary[],
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<void> {
  for (const { key, values } of summaries) {
    await yieldToEventLoop();
    const found = await listValues(db, accountId, key, {
      types,
      prefix: '',
      after: undefined,
      limit,
    });
    values.push(...found.map(({ value }) => value));
  }
}

async function addFirstValues(
  db: Db,
  accountId: string,
  summaries: readonly KeySummary[],
  maxValues: number,
): Promise<void> {
  const reads = summaries.map(
    ({ key }, index) =>
      sql`select ${sql.lit(index)} as place, value_key, value from (
        select value_key, min(value) as value from tag_values
        where account_id = ${accountId} and key = ${key}
        group by value_key order by value_key limit ${maxValues}) as ${sql.ref(`k${index}`)}`,
  );
  const { rows } = await sql<{ place: number; value: string }>`
    select place, value from (${sql.join(reads, sql` union all `)}) as firsts
    order by place, value_key`.execute(db);
  for (const { place, value } of rows) summaries[place]?.values.push(value);
}
