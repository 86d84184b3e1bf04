import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { ScopedLogs } from '../log-dialect.ts';
import { MAX_CHARACTERS } from '../writer/metadata-pairs.ts';
import { GREATEST_ID, LEAST_ID } from './id-range.ts';
import { containsInAnyCase } from './matches.ts';
import { searchCondition, searchedContext, searchedMetadata } from './row-conditions.ts';
import { inScope } from './scope-condition.ts';
import { type RowCondition, type ScanRange, columnScan, firstIds, idScan } from './index-scan.ts';

/** Limit of different keys and values to read, in about 40 ms. */
const MAX_TEXTS = 10_000;
/** Number of texts per statement. Other reads of the thread run in between. */
const TEXTS_PER_STATEMENT = 1_000;
/** Each key takes a statement. */
const MAX_KEYS = 200;
/** Time limit on a slow disk, which leaves most of the time of a page for reading rows. */
const MAX_MS = 1_500;
/** Limits of texts that may match and of their rows, which take about 20 ms. */
const MAX_MATCHES = 100;
const MAX_ROWS = 2_000;
/** Limits of matching contexts and their rows. A scan from the newest row soon finds more frequent ones. */
const MAX_CONTEXTS = 1_000;
const MAX_CONTEXT_ROWS = 50_000;

/** Texts that JSON escapes, or that may match its syntax: `:1,`, `true}`. */
const JSON_SYNTAX = /["\\\p{Cc}]|^[:{]|[,}]$/u;

/**
 * Returns the condition of a search. If only few rows match in their metadata, the different keys and values lead to them: with
 * some thousand values among millions of rows, this takes milliseconds. If only some contexts match, these lead to their rows.
 */
export async function searchRows(logs: ScopedLogs, search: string): Promise<RowCondition> {
  const { db, dialect, scope } = logs;
  const condition = searchCondition(dialect, scope, search);
  // PostgreSQL would look up each value in the partition of each day.
  if (dialect.name !== 'sqlite' || JSON_SYNTAX.test(search)) return { condition };
  const contexts = await findContexts(logs, search);
  if (contexts === undefined) return { condition };
  const candidates = await findCandidates(logs, search);
  if (candidates === undefined) return { condition };
  const all: ScanRange = {
    scan: idScan(scope, candidates),
    range: { from: LEAST_ID, until: GREATEST_ID },
    direction: 'desc',
    conditions: [searchedMetadata(dialect, search)],
  };
  const ids = await firstIds(db, dialect, all, MAX_ROWS);
  if (contexts.length === 0) return { condition, scan: idScan(scope, ids) };
  // No single index leads to both kinds of rows.
  if (ids.length > 0) return { condition };
  const scan = columnScan(
    scope,
    'context_id',
    contexts.map(({ id }) => id),
  );
  const rowCount = contexts.reduce((sum, context) => sum + context.rowCount, 0);
  return { condition, scan: { ...scan, rowCount } };
}

/** Returns the contexts that contain a text, with their row counts; undefined: many contexts or rows. */
async function findContexts(
  logs: ScopedLogs,
  search: string,
): Promise<{ id: number; rowCount: number }[] | undefined> {
  const { db, dialect, scope } = logs;
  const { rows } = await sql<{ id: number; row_count: number }>`
    select c.context_id as id, c.log_count as row_count from gateway_log_contexts as c
    where ${inScope(scope, 'c')} and ${searchedContext(dialect, search)} and c.log_count > 0
    limit ${MAX_CONTEXTS + 1}`.execute(db);
  const contexts = rows.map((row) => ({ id: row.id, rowCount: row.row_count }));
  const rowCount = contexts.reduce((sum, context) => sum + context.rowCount, 0);
  return contexts.length > MAX_CONTEXTS || rowCount > MAX_CONTEXT_ROWS ? undefined : contexts;
}

/**
 * Returns the rows whose metadata may contain a text, by the metadata index.
 * @returns undefined: many rows, or the search takes too long
 */
async function findCandidates(logs: ScopedLogs, search: string): Promise<string[] | undefined> {
  const { db, dialect, scope } = logs;
  const startMs = performance.now();
  const ids = new Set<string>();
  let looked = 0;
  let matches = 0;
  // Counts index entries: a row with two matching entries counts twice.
  let rowCount = 0;
  const isTooMuch = (): boolean =>
    looked > MAX_TEXTS ||
    matches > MAX_MATCHES ||
    rowCount > MAX_ROWS ||
    performance.now() - startMs > MAX_MS;
  const add = async (key: string, value?: string): Promise<void> => {
    matches++;
    if (isTooMuch()) return;
    const ofValue = value === undefined ? sql`` : sql`and m.value = ${value}`;
    const { rows } = await sql<{ id: LogIdColumn }>`
      select m.id from gateway_log_metadata as m
      where ${inScope(scope, 'm')} and m.key = ${key} ${ofValue}
      limit ${MAX_ROWS + 1}`.execute(db);
    rowCount += rows.length;
    for (const { id } of rows) ids.add(dialect.toId(id));
  };
  for await (const keys of textsOf(logs, undefined, search)) {
    if (keys.length > MAX_KEYS) return undefined;
    looked += keys.length;
    for (const { text: key, mayHave: isMatch } of keys) {
      if (isMatch) await add(key);
      else {
        for await (const values of textsOf(logs, key, search)) {
          looked += values.length;
          for (const { text, mayHave } of values) if (mayHave) await add(key, text);
          if (isTooMuch()) return undefined;
        }
      }
      if (isTooMuch()) return undefined;
    }
  }
  return [...ids];
}

interface Text {
  text: string;
  /** The text matches, or is truncated, so that the result is unknown. */
  mayHave: boolean;
}

/** Returns the different keys, or the values of a key, in parts. Jumps from one to the next by the primary key. */
async function* textsOf(
  logs: ScopedLogs,
  key: string | undefined,
  search: string,
): AsyncGenerator<Text[]> {
  const { db, dialect, scope } = logs;
  const column = sql.ref(key === undefined ? 'm.key' : 'm.value');
  const least = sql`select min(${column}) from gateway_log_metadata as m where ${inScope(scope, 'm')}`;
  const first = key === undefined ? least : sql`${least} and m.key = ${key}`;
  // The JSON encoding, which the search compares.
  const has = containsInAnyCase(dialect, sql`json_quote(s.text)`, search);
  let last: string | undefined;
  do {
    const begin = last === undefined ? first : sql`${first} and ${column} > ${last}`;
    const { rows } = await sql<{ text: string; may_have: number }>`
      with recursive s (text, position) as (
        select (${begin}), 1
        union all
        select (${first} and ${column} > s.text), s.position + 1 from s
        where s.text is not null and s.position < ${TEXTS_PER_STATEMENT}
      )
      select s.text, ${has} or length(s.text) >= ${MAX_CHARACTERS} as may_have
      from s where s.text is not null`.execute(db);
    yield rows.map((row) => ({ text: row.text, mayHave: row.may_have === 1 }));
    last = rows.length < TEXTS_PER_STATEMENT ? undefined : rows.at(-1)?.text;
    await nextTurn();
  } while (last !== undefined);
}
