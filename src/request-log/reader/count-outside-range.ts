import type { ScopedLogs } from '../log-dialect.ts';
import { GREATEST_ID, type IdRange, LEAST_ID, isEmptyRange } from './id-range.ts';
import type { Condition } from './scope-condition.ts';
import { countRows, primaryScan } from './index-scan.ts';

/** Rows outside of a range are counted up to this number, which takes a few milliseconds. */
const MAX_COUNTED_ROWS = 5_000;

/**
 * Counts the rows of a gateway outside of a range. There are none if the range is unbounded. Logs past the retention are
 * outside until they are deleted.
 * @param conditions on a row `e`
 * @returns undefined: many
 */
export async function countOutsideRange(
  logs: ScopedLogs,
  { from, until }: IdRange,
  conditions: readonly Condition[],
): Promise<number | undefined> {
  const { db, dialect, scope } = logs;
  const outside = [
    { from: LEAST_ID, until: from },
    { from: until, until: GREATEST_ID },
  ];
  let count = 0;
  for (const range of outside) {
    if (isEmptyRange(range)) continue;
    const scanRange = {
      scan: primaryScan(scope),
      range,
      direction: 'desc',
      conditions: [],
    } as const;
    const rows = await countRows(db, dialect, scanRange, MAX_COUNTED_ROWS + 1);
    if (rows > MAX_COUNTED_ROWS) return undefined;
    const isAll = rows === 0 || conditions.length === 0;
    count += isAll ? rows : await countRows(db, dialect, { ...scanRange, conditions }, rows);
  }
  return count;
}
