import type { Db } from '../../storage/schema.ts';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import { hasContext, listContexts } from './contexts.ts';
import { type IdRange, SLICE_ROWS } from './id-range.ts';
import type { Condition } from './scope-condition.ts';
import type { Section } from './sections.ts';
import { type Walk, branchCount, columnWalk, countRows, primaryWalk } from './walk.ts';

/** An access path to the rows of a section. */
export interface Driver {
  walk: Walk;
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
export interface Way {
  driver: Driver;
  maxRows: number;
}

/** The rows to find in a section. */
export interface Wanted {
  range: IdRange;
  /** Number of rows to find. */
  count: number;
  /** Number of rows of the gateway. */
  total: number;
}

/**
 * Selects the access paths to the first rows of a section, the cheapest one first.
 */
export async function chooseWays(
  logs: ScopedLogs,
  section: Section,
  { range, count, total }: Wanted,
): Promise<Way[]> {
  const { db, dialect, scope } = logs;
  const { contexts, conditions, rowCount } = section;
  const asked = conditions.map(({ condition }) => condition);
  const ofContexts = contexts.length === 0 ? [] : [hasContext(scope, contexts)];
  const primary: Driver = {
    walk: primaryWalk(scope),
    conditions: [...ofContexts, ...asked],
    rowCount: total,
  };
  const listed = contexts.length === 0 ? undefined : await listContexts(db, scope, contexts);
  const byContext: Driver | undefined = listed && {
    walk: columnWalk(scope, 'context_id', listed),
    conditions: asked,
    rowCount,
  };
  if (conditions.length === 0) return waysByContext(primary, byContext, count);
  const costs = [{ driver: primary, cost: total }];
  if (byContext !== undefined) {
    // Each statement starts at all of them.
    const statements = Math.ceil(rowCount / SLICE_ROWS);
    const branchRows = branchCount(byContext.walk) * ROWS_PER_BRANCH * statements;
    costs.push({ driver: byContext, cost: rowCount * ROWS_PER_LOOKUP + branchRows });
  }
  for (const { walk } of conditions) {
    if (walk === undefined) continue;
    const others = conditions.flatMap((one) => (one.walk === walk ? [] : one.condition));
    const further = [...ofContexts, ...others];
    const rows =
      walk.rowCount ??
      (further.length === 0 ? undefined : await countAlong(db, dialect, walk, range));
    const driver = { walk, conditions: further, rowCount: rows };
    // An index that needs no lookup of rows is the best path.
    if (further.length === 0) return [{ driver, maxRows: Infinity }];
    costs.push({ driver, cost: rows === undefined ? MANY_ROWS : rows * ROWS_PER_LOOKUP });
  }
  const [best] = costs.toSorted((a, b) => a.cost - b.cost);
  return [{ driver: best?.driver ?? primary, maxRows: Infinity }];
}

/**
 * Selects the path of a section without conditions on rows. Merging the tops of all contexts has a known cost. Reading all
 * rows costs less if many of them match, but is stopped in time, because the matching rows may all be old.
 */
function waysByContext(primary: Driver, byContext: Driver | undefined, count: number): Way[] {
  if (byContext === undefined) return [{ driver: primary, maxRows: Infinity }];
  const { walk, rowCount: matching = 0 } = byContext;
  const branches = branchCount(walk);
  const mergedRows = branches * ROWS_PER_BRANCH + Math.min(branches * count, matching);
  const walkedRows = (count * (primary.rowCount ?? 0)) / Math.max(1, matching);
  const merge = { driver: byContext, maxRows: Infinity };
  return walkedRows < mergedRows / 2 ? [{ driver: primary, maxRows: mergedRows }, merge] : [merge];
}

/** Counts the rows of an index; undefined: many. */
async function countAlong(
  db: Db,
  dialect: LogDialect,
  walk: Walk,
  range: IdRange,
): Promise<number | undefined> {
  const stretch = { walk, range, direction: 'desc', conditions: [] } as const;
  const rows = await countRows(db, dialect, stretch, COUNTED_ROWS + 1);
  return rows <= COUNTED_ROWS ? rows : undefined;
}
