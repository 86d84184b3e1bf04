import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LogIdColumn } from '../../../storage/log-tables.ts';
import type { Db } from '../../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import { MAX_CHARACTERS, type MetadataPair } from '../write/metadata-pairs.ts';
import { groupContexts } from './contexts.ts';
import { GREATEST_ID, type IdRange, LEAST_ID } from './id-range.ts';
import { containsInAnyCase } from './matches.ts';
import { searchCondition, searchedContext } from './row-conditions.ts';
import { type Condition, inScope } from './scope-condition.ts';
import {
  type RowCondition,
  type Stretch,
  countRows,
  firstIds,
  idWalk,
  nearestId,
  primaryWalk,
} from './walk.ts';

/** Different keys and values that are looked at: some 40 ms. */
const MAX_TEXTS = 10_000;
/** Of these, by one statement: other reads of the thread get their turn in between. */
const TEXTS_PER_STATEMENT = 1_000;
/** Only a disk that has to be waited for takes as long. */
const MAX_MS = 500;
const MAX_PAIRS = 100;
const MAX_ROWS = 2_000;

/** What stands in JSON beside its texts, or is not written there as it is. */
const JSON_SYNTAX = /["\\{}[\]:,\p{Cc}]/u;

/** Of so many of the newest rows these are many that have the text. */
const SAMPLE_ROWS = 1_000;
const MANY_OF_SAMPLE = 3;

const ALL: IdRange = { from: LEAST_ID, until: GREATEST_ID };

/**
 * What a search asks of rows. Where only few have the text, in their metadata, they are found by the different
 * keys and values that there are: among millions of rows with some thousand values this takes milliseconds.
 */
export async function searchRows(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  search: string,
): Promise<RowCondition> {
  const condition = searchCondition(dialect, scope, search);
  // PostgreSQL would have to look for each value in the partition of each day.
  if (dialect.name !== 'sqlite' || JSON_SYNTAX.test(search)) return { condition };
  if (await isSoonFound(db, dialect, scope, search, condition)) return { condition };
  const pairs = await findPairs(db, dialect, scope, search);
  const candidates = pairs && (await findIds(db, dialect, scope, pairs));
  if (candidates === undefined) return { condition };
  const walk = idWalk(scope, candidates);
  const all: Stretch = { walk, range: ALL, direction: 'desc', conditions: [condition] };
  const ids = candidates.length === 0 ? [] : await firstIds(db, dialect, all, MAX_ROWS);
  return { condition, walk: idWalk(scope, ids) };
}

/** Whether to look at one row after the other will do: there are few of them, or many have the text. */
async function isSoonFound(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  search: string,
  condition: Condition,
): Promise<boolean> {
  const newest: Stretch = {
    walk: primaryWalk(scope),
    range: ALL,
    direction: 'desc',
    conditions: [],
  };
  const from = await nearestId(db, dialect, newest, SAMPLE_ROWS - 1);
  if (from === undefined) return true;
  const sample = { ...newest, range: { ...ALL, from }, conditions: [condition] };
  if ((await countRows(db, dialect, sample, MANY_OF_SAMPLE)) === MANY_OF_SAMPLE) return true;
  const [found] = await groupContexts(db, scope, [searchedContext(dialect, search)], undefined);
  return found !== undefined && found.rowCount > 0;
}

/** The entries that may have the text in them; undefined: many, or it takes long to tell. */
async function findPairs(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  search: string,
): Promise<MetadataPair[] | undefined> {
  const startMs = performance.now();
  const pairs: MetadataPair[] = [];
  let looked = 0;
  const isTooMuch = (): boolean =>
    looked > MAX_TEXTS || pairs.length > MAX_PAIRS || performance.now() - startMs > MAX_MS;
  for await (const keys of textsOf(db, dialect, scope, undefined, search)) {
    looked += keys.length;
    for (const key of keys) {
      for await (const values of textsOf(db, dialect, scope, key.text, search)) {
        looked += values.length;
        for (const value of values) {
          if (key.mayHave || value.mayHave) pairs.push([key.text, value.text]);
        }
        if (isTooMuch()) return undefined;
      }
    }
  }
  return pairs;
}

interface Text {
  text: string;
  /** What is searched is in it, or it was cut, so that nobody knows. */
  mayHave: boolean;
}

/** The different keys, or values of a key, some at a time: from one to the next by the primary key. */
async function* textsOf(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  key: string | undefined,
  search: string,
): AsyncGenerator<Text[]> {
  const column = sql.ref(key === undefined ? 'm.key' : 'm.value');
  const least = sql`select min(${column}) from gateway_log_metadata as m where ${inScope(scope, 'm')}`;
  const first = key === undefined ? least : sql`${least} and m.key = ${key}`;
  // As it is written in JSON, which is what is searched.
  const has = containsInAnyCase(dialect, sql`json_quote(s.text)`, search);
  let last: string | undefined;
  do {
    const begin = last === undefined ? first : sql`${first} and ${column} > ${last}`;
    const { rows } = await sql<{ text: string; may_have: number }>`
      with recursive s (text, place) as (
        select (${begin}), 1
        union all
        select (${first} and ${column} > s.text), s.place + 1 from s
        where s.text is not null and s.place < ${TEXTS_PER_STATEMENT}
      )
      select s.text, ${has} or length(s.text) >= ${MAX_CHARACTERS} as may_have
      from s where s.text is not null`.execute(db);
    yield rows.map((row) => ({ text: row.text, mayHave: row.may_have === 1 }));
    last = rows.length < TEXTS_PER_STATEMENT ? undefined : rows.at(-1)?.text;
    await nextTurn();
  } while (last !== undefined);
}

/** The rows that have one of these entries, as far as an index tells them; undefined: many. */
async function findIds(
  db: Db,
  dialect: LogDialect,
  scope: LogScope,
  pairs: readonly MetadataPair[],
): Promise<string[] | undefined> {
  const ids = new Set<string>();
  for (const [key, value] of pairs) {
    const { rows } = await sql<{ id: LogIdColumn }>`
      select m.id from gateway_log_metadata as m
      where ${inScope(scope, 'm')} and m.key = ${key} and m.value = ${value}
      limit ${MAX_ROWS + 1}`.execute(db);
    for (const { id } of rows) ids.add(dialect.toId(id));
    if (ids.size > MAX_ROWS) return undefined;
  }
  return [...ids];
}
