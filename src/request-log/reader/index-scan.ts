import { sql } from 'kysely';
import type { LogIdColumn } from '../../storage/log-tables.ts';
import type { Db } from '../../storage/schema.ts';
import type { LogDialect, LogScope } from '../log-dialect.ts';
import type { IdRange } from './id-range.ts';
import { type Condition, allOf, inScope } from './scope-condition.ts';

/**
 * The rows of a gateway by one index in the order of ids. With several branches, such as contexts, the scan merges several
 * positions of the index. No row belongs to two branches.
 */
export interface IndexScan {
  /** The values of the branches; undefined: one branch with all rows. */
  branches:
    | { type: 'bigint' | 'text' | 'smallint'; values: readonly (string | number)[] }
    | undefined;
  /** The id in the index. */
  id: Condition;
  /** The table of the index with its alias in the statement. */
  table: Condition;
  /** Returns the condition of a branch for its value. */
  has(value: Condition): Condition;
  /** The join with the table `e` of the rows; undefined: the index belongs to this table. */
  rows?: Condition;
  /** Number of rows of the index; undefined: unknown. */
  rowCount?: number;
}

/** A condition on a row `e`. */
export interface RowCondition {
  condition: Condition;
  /** An index that leads exactly to the matching rows, at the time of its lookup. */
  scan?: IndexScan;
}

/** A part of a scan. */
export interface ScanRange {
  scan: IndexScan;
  range: IdRange;
  direction: 'asc' | 'desc';
  /** Further conditions on a row `e`. */
  conditions: readonly Condition[];
}

/** Returns the scan of all rows by the primary key. */
export function primaryScan(scope: LogScope): IndexScan {
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

/** Returns the scan of rows with one of these values by the index on the column. */
export function columnScan(
  scope: LogScope,
  column: keyof typeof COLUMNS,
  values: readonly (string | number)[],
): IndexScan {
  const { type, index } = COLUMNS[column];
  // SQLite would prefer the primary key, which contains all columns, and read all of its rows.
  const by = 'gateway_key' in scope ? sql` indexed by ${sql.ref(index)}` : sql``;
  return {
    branches: { type, values: [...new Set(values)] },
    id: sql`e.id`,
    table: sql`gateway_log_entries as e${by}`,
    has: (value) => sql`${inScope(scope, 'e')} and ${sql.ref(`e.${column}`)} = ${value}`,
  };
}

/** Returns the scan of rows whose metadata has this key with one of these values in `gateway_log_metadata`. */
export function metadataScan(scope: LogScope, key: string, values: readonly string[]): IndexScan {
  return {
    branches: { type: 'text', values: [...new Set(values)] },
    id: sql`m.id`,
    table: sql`gateway_log_metadata as m`,
    has: (value) => sql`${inScope(scope, 'm')} and m.key = ${key} and m.value = ${value}`,
    // SQLite reads the tables of a cross join in their order.
    rows: sql` cross join gateway_log_entries as e where ${inScope(scope, 'e')} and e.id = m.id and `,
  };
}

/** Returns the scan of these rows on SQLite, each of which is a branch. */
export function idScan(scope: LogScope, ids: readonly string[]): IndexScan {
  return {
    branches: { type: 'text', values: ids.map((id) => id.replaceAll('-', '')) },
    id: sql`e.id`,
    table: sql`gateway_log_entries as e`,
    has: (value) => sql`${inScope(scope, 'e')} and e.id = unhex(${value})`,
    rowCount: ids.length,
  };
}

/** Returns the number of branches of a scan. */
export function branchCount({ branches }: IndexScan): number {
  return branches === undefined ? 1 : branches.values.length;
}

function order(direction: 'asc' | 'desc'): Condition {
  return direction === 'asc' ? sql`asc` : sql`desc`;
}

/** Returns all branches as a table with a column `value`, in one parameter for any number of them. */
function branchTable({ name }: LogDialect, { branches }: IndexScan): Condition {
  const { type, values } = branches ?? { type: 'bigint', values: [] };
  return name === 'sqlite'
    ? sql`json_each(${JSON.stringify(values)}) as v`
    : sql`unnest(cast(${values} as ${sql.raw(type)}[])) as v(value)`;
}

/** Returns the value of the only branch; undefined: there are several. */
function onlyValue({ branches }: IndexScan): Condition | undefined {
  if (branches === undefined) return sql`null`;
  return branches.values.length === 1 ? sql`${branches.values[0]}` : undefined;
}

function inRange(dialect: LogDialect, { scan, range }: ScanRange): Condition {
  return sql`${scan.id} >= ${dialect.toColumn(range.from)}
    and ${scan.id} < ${dialect.toColumn(range.until)}`;
}

/** Returns `from … where …` for the rows of a range. */
function fromScanRange(dialect: LogDialect, scanRange: ScanRange): Condition {
  const { scan, conditions } = scanRange;
  const only = onlyValue(scan);
  const table =
    only === undefined ? sql`${branchTable(dialect, scan)} cross join ${scan.table}` : scan.table;
  const joined = conditions.length === 0 ? undefined : scan.rows;
  return sql`from ${table}${joined ?? sql` where `}${allOf([
    scan.has(only ?? sql`v.value`),
    inRange(dialect, scanRange),
    ...conditions,
  ])}`;
}

/**
 * Returns the ids of the first rows of a range. With several branches, all of its rows are read.
 * @param limit the maximum number of ids
 */
export async function firstIds(
  db: Db,
  dialect: LogDialect,
  scanRange: ScanRange,
  limit: number,
): Promise<string[]> {
  const { id } = scanRange.scan;
  const { rows } = await sql<{ id: LogIdColumn }>`
    select ${id} as id ${fromScanRange(dialect, scanRange)}
    order by ${id} ${order(scanRange.direction)} limit ${limit}`.execute(db);
  return rows.map((row) => dialect.toId(row.id));
}

/**
 * Returns the first of the ids that have so many others before them in their branch; undefined: no branch has more. Ignores the
 * conditions on rows.
 */
export async function nearestId(
  db: Db,
  dialect: LogDialect,
  scanRange: ScanRange,
  offset: number,
): Promise<string | undefined> {
  const { scan } = scanRange;
  const only = onlyValue(scan);
  const by = order(scanRange.direction);
  const ofBranch = sql`
    select ${scan.id} as id from ${scan.table}
    where ${scan.has(only ?? sql`v.value`)} and ${inRange(dialect, scanRange)}
    order by ${scan.id} ${by} limit 1 offset ${offset}`;
  const nearest =
    only === undefined
      ? sql`select w.id from (
          select (${ofBranch}) as id from ${branchTable(dialect, scan)}
        ) as w where w.id is not null order by w.id ${by} limit 1`
      : ofBranch;
  const { rows } = await sql<{ id: LogIdColumn }>`${nearest}`.execute(db);
  return rows[0] && dialect.toId(rows[0].id);
}

/**
 * Counts the rows of a range.
 * @param limit the maximum count
 */
export async function countRows(
  db: Db,
  dialect: LogDialect,
  scanRange: ScanRange,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 ${fromScanRange(dialect, scanRange)} limit ${limit}
    ) as w`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A row with the value that sorts a list. */
export interface ValuedRow {
  id: string;
  value: number;
}

/** Returns the rows of a range with the greatest or the least values, by its direction. */
export async function bestRows(
  { db, dialect }: { db: Db; dialect: LogDialect },
  scanRange: ScanRange,
  value: Condition,
  limit: number,
): Promise<ValuedRow[]> {
  const { id } = scanRange.scan;
  const by = order(scanRange.direction);
  const { rows } = await sql<{ id: LogIdColumn; value: number }>`
    select ${id} as id, ${value} as value ${fromScanRange(dialect, scanRange)}
    order by 2 ${by}, 1 ${by} limit ${limit}`.execute(db);
  return rows.map((row) => ({ id: dialect.toId(row.id), value: row.value }));
}
