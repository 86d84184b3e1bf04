import { sql } from 'kysely';
import type { LogScope, ScopedLogs } from '../log-dialect.ts';
import type { LogListQuery, LogOrder, LogSelection } from '../log-query.ts';
import { countAll, groupContexts } from './contexts.ts';
import type { BoundedField } from './hour-extremes.ts';
import { contextConditions, rowConditions, rowExpression } from './row-conditions.ts';
import type { Condition } from './scope-condition.ts';
import { searchRows } from './searched-rows.ts';
import { type RowCondition, branchCount, columnScan } from './index-scan.ts';

/** Adjacent rows of a list, which are in the order of time among themselves. */
export interface SortGroup {
  /** The value that its rows share. */
  name: string;
  /** Conditions on their contexts `c`; empty: all contexts match. */
  contexts: readonly Condition[];
  /** Number of rows of these contexts, without further conditions. */
  rowCount: number;
  /** Further conditions. */
  conditions: readonly RowCondition[];
  /** A number that sorts its rows before the time does. */
  sortedBy?: BoundedField;
}

// Unknown values are last in both directions.
const FEEDBACKS = { asc: [-1, 0, 1, null], desc: [1, 0, -1, null] } as const;

const CONTEXT_ORDERS: ReadonlySet<LogOrder> = new Set([
  'provider',
  'model',
  'model_type',
  'success',
  'cached',
]);

/** Returns the groups of a list in its order; none: there are no logs, or no context matches. */
export async function sortGroupsOf(logs: ScopedLogs, query: LogListQuery): Promise<SortGroup[]> {
  const { scope } = logs;
  const { orderBy, direction } = query;
  if (CONTEXT_ORDERS.has(orderBy)) return groupsByContext(logs, query);
  const all = await wholeGroup(logs, query);
  if (all.rowCount === 0) return [];
  if (orderBy === 'created_at') return [all];
  if (orderBy === 'feedback') {
    return FEEDBACKS[direction].map((value) => withFeedback(scope, all, value));
  }
  const sortedBy = orderBy as BoundedField;
  const value = rowExpression(sortedBy);
  const known = { condition: sql`${value} is not null` };
  const unknown = { condition: sql`${value} is null` };
  return [
    { ...all, name: 'known', conditions: [...all.conditions, known], sortedBy },
    { ...all, name: 'unknown', conditions: [...all.conditions, unknown] },
  ];
}

/** Returns all selected rows as one group, in the order of time. */
export async function wholeGroup(logs: ScopedLogs, selection: LogSelection): Promise<SortGroup> {
  const { db, dialect, scope } = logs;
  const contexts = contextConditions(dialect, selection.filters);
  const conditions = await conditionsOf(logs, selection);
  if (contexts.length === 0 || isNever(conditions)) {
    const rowCount = isNever(conditions) ? 0 : await countAll(db, scope);
    return { name: 'all', contexts, rowCount, conditions };
  }
  const [group] = await groupContexts(db, scope, contexts, undefined);
  return { name: 'all', contexts, rowCount: group?.rowCount ?? 0, conditions };
}

// The page and the count search the same. A query lives for one call.
const searched = new WeakMap<LogSelection, Promise<RowCondition>>();

async function conditionsOf(logs: ScopedLogs, selection: LogSelection): Promise<RowCondition[]> {
  const { dialect, scope } = logs;
  const { filters, search } = selection;
  const conditions = rowConditions(dialect, scope, filters);
  if (search === undefined) return conditions;
  const ofSearch = searched.get(selection) ?? searchRows(logs, search);
  searched.set(selection, ofSearch);
  return [...conditions, await ofSearch];
}

/** Returns true if an index shows that no row matches one of the conditions. */
function isNever(conditions: readonly RowCondition[]): boolean {
  return conditions.some(({ scan }) => scan !== undefined && branchCount(scan) === 0);
}

async function groupsByContext(logs: ScopedLogs, query: LogListQuery): Promise<SortGroup[]> {
  const { db, dialect, scope } = logs;
  const contexts = contextConditions(dialect, query.filters);
  const conditions = await conditionsOf(logs, query);
  if (isNever(conditions)) return [];
  const groups = await groupContexts(db, scope, contexts, query.orderBy);
  const sorted = groups.toSorted((a, b) => compare(a.value, b.value, query.direction));
  return sorted.map(({ value, rowCount }) => {
    const column = sql.ref(`c.${query.orderBy}`);
    const has = value === null ? sql`${column} is null` : sql`${column} = ${value}`;
    return { name: String(value), contexts: [...contexts, has], rowCount, conditions };
  });
}

function withFeedback(scope: LogScope, group: SortGroup, value: number | null): SortGroup {
  const has: RowCondition =
    value === null
      ? { condition: sql`e.feedback is null` }
      : {
          condition: sql`${rowExpression('feedback')} = ${value}`,
          scan: columnScan(scope, 'feedback', [value]),
        };
  return { ...group, name: String(value), conditions: [...group.conditions, has] };
}

/** Compares by bytes, like the databases. Unknown values are last. */
function compare(
  one: string | number | null,
  other: string | number | null,
  direction: 'asc' | 'desc',
): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  const isLess =
    typeof one === 'number' || typeof other === 'number'
      ? one < other
      : Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
  return isLess === (direction === 'asc') ? -1 : 1;
}
