import type { Db } from '../../../storage/schema.ts';
import type { LogDialect, ScopedLogs } from '../log-dialect.ts';
import { hasContext, listContexts } from './contexts.ts';
import { type IdRange, SLICE_ROWS } from './id-range.ts';
import type { Condition } from './scope-condition.ts';
import type { Section } from './sections.ts';
import { type Walk, branchCount, columnWalk, countRows, primaryWalk } from './walk.ts';

/** A way to the rows of a section. */
export interface Driver {
  walk: Walk;
  /** What is asked of each row on the way. */
  conditions: readonly Condition[];
  /** Rows on the way, of all times; undefined: not known, but many. */
  rowCount: number | undefined;
}

/** An index is looked at no further to know how many rows it leads to. */
const COUNTED_ROWS = 2_000;
/** What an index that leads to more is taken for. */
const MANY_ROWS = 100_000;
/** To begin at one more place of an index takes as long as to walk so many rows. */
const ROWS_PER_BRANCH = 10;
/** To go from an index to its row takes as long as that. */
const ROWS_PER_LOOKUP = 2;

/** One of several ways, with how far it is gone before the next one is tried. */
export interface Way {
  driver: Driver;
  maxRows: number;
}

/** What is wanted of a section. */
export interface Wanted {
  range: IdRange;
  /** How many rows. */
  count: number;
  /** Rows of the gateway. */
  total: number;
}

/**
 * Chooses how the first rows of a section are found: the one that will cost least goes first.
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
    // Each statement begins at all of them.
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
    // Nothing is better than what needs not look at any row.
    if (further.length === 0) return [{ driver, maxRows: Infinity }];
    costs.push({ driver, cost: rows === undefined ? MANY_ROWS : rows * ROWS_PER_LOOKUP });
  }
  const [best] = costs.toSorted((a, b) => a.cost - b.cost);
  return [{ driver: best?.driver ?? primary, maxRows: Infinity }];
}

/**
 * With nothing asked of rows themselves, to merge the tops of all contexts costs what is known before.
 * To walk all rows costs less where many of them are of the contexts, and nobody knows what where those
 * are all old: then it is given up in time.
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

/** How many rows an index leads to; undefined: many. */
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
