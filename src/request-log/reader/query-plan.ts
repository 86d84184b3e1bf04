import type { Db } from '../../storage/schema.ts';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import { hasContext, listContexts } from './contexts.ts';
import { type IdRange, SLICE_ROWS } from './id-range.ts';
import type { Condition } from './scope-condition.ts';
import type { SortGroup } from './sort-groups.ts';
import { type IndexScan, branchCount, columnScan, countRows, primaryScan } from './index-scan.ts';

/** An access path to the rows of a group. */
export interface AccessPath {
  scan: IndexScan;
  /** The conditions on each row of the path. */
  conditions: readonly Condition[];
  /** Number of rows on the path; undefined: unknown, but many. */
  rowCount: number | undefined;
}

/** The rows of an index are counted up to this number. */
const COUNTED_ROWS = 2_000;
/** The estimate for an index with more rows. */
const MANY_ROWS = 100_000;
/** The start at one more position of an index costs as much as reading so many rows. */
const ROWS_PER_BRANCH = 10;
/** The cost of the lookup from an index to its row. */
const ROWS_PER_LOOKUP = 2;

/** One of several access paths, and the number of rows before the next one is tried. */
export interface PlanStep {
  path: AccessPath;
  maxRows: number;
}

/** The rows to find in a group. */
export interface Wanted {
  range: IdRange;
  /** Number of rows to find. */
  count: number;
  /** Number of rows of the gateway. */
  total: number;
}

/**
 * Selects the access paths to the first rows of a group, the cheapest one first.
 */
export async function planAccess(
  logs: ScopedLogs,
  group: SortGroup,
  { range, count, total }: Wanted,
): Promise<PlanStep[]> {
  const { db, dialect, scope } = logs;
  const { contexts, conditions, rowCount } = group;
  const asked = conditions.map(({ condition }) => condition);
  const ofContexts = contexts.length === 0 ? [] : [hasContext(scope, contexts)];
  const primary: AccessPath = {
    scan: primaryScan(scope),
    conditions: [...ofContexts, ...asked],
    rowCount: total,
  };
  const listed = contexts.length === 0 ? undefined : await listContexts(db, scope, contexts);
  const byContext: AccessPath | undefined = listed && {
    scan: columnScan(scope, 'context_id', listed),
    conditions: asked,
    rowCount,
  };
  if (conditions.length === 0) return planByContext(primary, byContext, count);
  const costs = [{ path: primary, cost: total }];
  if (byContext !== undefined) {
    // Each statement starts at all of them.
    const statements = Math.ceil(rowCount / SLICE_ROWS);
    const branchRows = branchCount(byContext.scan) * ROWS_PER_BRANCH * statements;
    costs.push({ path: byContext, cost: rowCount * ROWS_PER_LOOKUP + branchRows });
  }
  for (const { scan } of conditions) {
    if (scan === undefined) continue;
    const others = conditions.flatMap((one) => (one.scan === scan ? [] : one.condition));
    const further = [...ofContexts, ...others];
    const rows =
      scan.rowCount ??
      (further.length === 0 ? undefined : await countAlong(db, dialect, scan, range));
    const path = { scan, conditions: further, rowCount: rows };
    // An index that needs no lookup of rows is the best path.
    if (further.length === 0) return [{ path, maxRows: Infinity }];
    costs.push({ path, cost: rows === undefined ? MANY_ROWS : rows * ROWS_PER_LOOKUP });
  }
  const [best] = costs.toSorted((a, b) => a.cost - b.cost);
  return [{ path: best?.path ?? primary, maxRows: Infinity }];
}

/**
 * Selects the path of a group without conditions on rows. Merging the tops of all contexts has a known cost. Reading all
 * rows costs less if many of them match, but is stopped in time, because the matching rows may all be old.
 */
function planByContext(
  primary: AccessPath,
  byContext: AccessPath | undefined,
  count: number,
): PlanStep[] {
  if (byContext === undefined) return [{ path: primary, maxRows: Infinity }];
  const { scan, rowCount: matching = 0 } = byContext;
  const branches = branchCount(scan);
  const mergedRows = branches * ROWS_PER_BRANCH + Math.min(branches * count, matching);
  const scannedRows = (count * (primary.rowCount ?? 0)) / Math.max(1, matching);
  const merge = { path: byContext, maxRows: Infinity };
  return scannedRows < mergedRows / 2 ? [{ path: primary, maxRows: mergedRows }, merge] : [merge];
}

/** Counts the rows of an index; undefined: many. */
async function countAlong(
  db: Db,
  dialect: LogDialect,
  scan: IndexScan,
  range: IdRange,
): Promise<number | undefined> {
  const scanRange = { scan, range, direction: 'desc', conditions: [] } as const;
  const rows = await countRows(db, dialect, scanRange, COUNTED_ROWS + 1);
  return rows <= COUNTED_ROWS ? rows : undefined;
}
