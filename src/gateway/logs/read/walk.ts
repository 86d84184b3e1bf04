import { sql } from 'kysely';
import type { LogIdColumn } from '../../../storage/log-tables.ts';
import type { Db } from '../../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { IdRange } from './id-range.ts';
import { type Condition, allOf, inScope } from './scope-condition.ts';

/**
 * Rows of a gateway along one index, in the order of ids. With several branches, such as contexts, the
 * index is walked in several places side by side; no row is in two of them.
 */
export interface Walk {
  /** What sets the branches apart; undefined: there is but one, of all rows. */
  branches:
    | { type: 'bigint' | 'text' | 'smallint'; values: readonly (string | number)[] }
    | undefined;
  /** The id in the index. */
  id: Condition;
  /** The table of the index, by its name in the statement. */
  table: Condition;
  /** What of the table belongs to a branch, given its value. */
  has(value: Condition): Condition;
  /** The table `e` of the rows themselves, with how it is joined; undefined: it is that very table. */
  rows?: Condition;
  /** How many rows it leads to, of all times, where that is known. */
  rowCount?: number;
}

/** What is asked of a row `e`. */
export interface RowCondition {
  condition: Condition;
  /** An index that leads to exactly the rows that meet it, or met it when it was looked for. */
  walk?: Walk;
}

/** A part of a walk. */
export interface Stretch {
  walk: Walk;
  range: IdRange;
  direction: 'asc' | 'desc';
  /** What else is asked of a row `e`. */
  conditions: readonly Condition[];
}

/** All rows, by the primary key. */
export function primaryWalk(scope: LogScope): Walk {
  return {
    branches: undefined,
    id: sql`e.id`,
    table: sql`gateway_log_entries as e`,
    has: () => inScope(scope, 'e'),
  };
}

const COLUMNS = {
  context_id: { type: 'bigint', index: 'gateway_log_entries_context' },
  event_id: { type: 'text', index: 'gateway_log_entries_event' },
  feedback: { type: 'smallint', index: 'gateway_log_entries_feedback' },
} as const;

/** Rows that have one of these values, by the index on the column. */
export function columnWalk(
  scope: LogScope,
  column: keyof typeof COLUMNS,
  values: readonly (string | number)[],
): Walk {
  const { type, index } = COLUMNS[column];
  // SQLite takes the primary key for better, as it has all columns, and goes through all of its rows.
  const by = 'gateway_key' in scope ? sql` indexed by ${sql.ref(index)}` : sql``;
  return {
    branches: { type, values: [...new Set(values)] },
    id: sql`e.id`,
    table: sql`gateway_log_entries as e${by}`,
    has: (value) => sql`${inScope(scope, 'e')} and ${sql.ref(`e.${column}`)} = ${value}`,
  };
}

/** Rows whose metadata has this key with one of these values, as `gateway_log_metadata` keeps them. */
export function metadataWalk(scope: LogScope, key: string, values: readonly string[]): Walk {
  return {
    branches: { type: 'text', values: [...new Set(values)] },
    id: sql`m.id`,
    table: sql`gateway_log_metadata as m`,
    has: (value) => sql`${inScope(scope, 'm')} and m.key = ${key} and m.value = ${value}`,
    // SQLite goes through the tables of a cross join in the order in which they stand.
    rows: sql` cross join gateway_log_entries as e where ${inScope(scope, 'e')} and e.id = m.id and `,
  };
}

/** These rows of the embedded database, each a branch of its own. */
export function idWalk(scope: LogScope, ids: readonly string[]): Walk {
  return {
    branches: { type: 'text', values: ids.map((id) => id.replaceAll('-', '')) },
    id: sql`e.id`,
    table: sql`gateway_log_entries as e`,
    has: (value) => sql`${inScope(scope, 'e')} and e.id = unhex(${value})`,
    rowCount: ids.length,
  };
}

/** How many branches a walk has. */
export function branchCount({ branches }: Walk): number {
  return branches === undefined ? 1 : branches.values.length;
}

function order(direction: 'asc' | 'desc'): Condition {
  return direction === 'asc' ? sql`asc` : sql`desc`;
}

/** All branches as a table with a column `value`, in one parameter whatever their number. */
function branchTable({ name }: LogDialect, { branches }: Walk): Condition {
  const { type, values } = branches ?? { type: 'bigint', values: [] };
  return name === 'sqlite'
    ? sql`json_each(${JSON.stringify(values)}) as v`
    : sql`unnest(cast(${values} as ${sql.raw(type)}[])) as v(value)`;
}

/** The value of the only branch; undefined: there are several. */
function onlyValue({ branches }: Walk): Condition | undefined {
  if (branches === undefined) return sql`null`;
  return branches.values.length === 1 ? sql`${branches.values[0]}` : undefined;
}

function inRange(dialect: LogDialect, { walk, range }: Stretch): Condition {
  return sql`${walk.id} >= ${dialect.toColumn(range.from)}
    and ${walk.id} < ${dialect.toColumn(range.until)}`;
}

/** `from … where …` of the rows of a stretch. */
function fromStretch(dialect: LogDialect, stretch: Stretch): Condition {
  const { walk, conditions } = stretch;
  const only = onlyValue(walk);
  const table =
    only === undefined ? sql`${branchTable(dialect, walk)} cross join ${walk.table}` : walk.table;
  const joined = conditions.length === 0 ? undefined : walk.rows;
  return sql`from ${table}${joined ?? sql` where `}${allOf([
    walk.has(only ?? sql`v.value`),
    inRange(dialect, stretch),
    ...conditions,
  ])}`;
}

/**
 * The ids of the first rows of a stretch. With several branches all of its rows are read.
 * @param limit at most so many
 */
export async function firstIds(
  db: Db,
  dialect: LogDialect,
  stretch: Stretch,
  limit: number,
): Promise<string[]> {
  const { id } = stretch.walk;
  const { rows } = await sql<{ id: LogIdColumn }>`
    select ${id} as id ${fromStretch(dialect, stretch)}
    order by ${id} ${order(stretch.direction)} limit ${limit}`.execute(db);
  return rows.map((row) => dialect.toId(row.id));
}

/**
 * Of the ids that in their branches stand behind so many others, the one that comes first; undefined: no
 * branch has more. Whatever is asked of rows is left out of account.
 */
export async function nearestId(
  db: Db,
  dialect: LogDialect,
  stretch: Stretch,
  offset: number,
): Promise<string | undefined> {
  const { walk } = stretch;
  const only = onlyValue(walk);
  const by = order(stretch.direction);
  const ofBranch = sql`
    select ${walk.id} as id from ${walk.table}
    where ${walk.has(only ?? sql`v.value`)} and ${inRange(dialect, stretch)}
    order by ${walk.id} ${by} limit 1 offset ${offset}`;
  const nearest =
    only === undefined
      ? sql`select w.id from (
          select (${ofBranch}) as id from ${branchTable(dialect, walk)}
        ) as w where w.id is not null order by w.id ${by} limit 1`
      : ofBranch;
  const { rows } = await sql<{ id: LogIdColumn }>`${nearest}`.execute(db);
  return rows[0] && dialect.toId(rows[0].id);
}

/**
 * How many rows a stretch has.
 * @param limit there it stops
 */
export async function countRows(
  db: Db,
  dialect: LogDialect,
  stretch: Stretch,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 ${fromStretch(dialect, stretch)} limit ${limit}
    ) as w`.execute(db);
  return rows[0]?.count ?? 0;
}

/** One row of a stretch with the value that a list is sorted by. */
export interface ValuedRow {
  id: string;
  value: number;
}

/** Returns the rows of a stretch with the greatest or the least values, by its direction. */
export async function bestRows(
  { db, dialect }: { db: Db; dialect: LogDialect },
  stretch: Stretch,
  value: Condition,
  limit: number,
): Promise<ValuedRow[]> {
  const { id } = stretch.walk;
  const by = order(stretch.direction);
  const { rows } = await sql<{ id: LogIdColumn; value: number }>`
    select ${id} as id, ${value} as value ${fromStretch(dialect, stretch)}
    order by 2 ${by}, 1 ${by} limit ${limit}`.execute(db);
  return rows.map((row) => ({ id: dialect.toId(row.id), value: row.value }));
}
