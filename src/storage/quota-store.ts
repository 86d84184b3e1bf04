import { type RawBuilder, sql } from 'kysely';
import { familyColumns, type QuotaFamily } from './quota-family.ts';
import { LARGEST_PART, type LeaseSize, MOST_UNITS } from './quota-slice.ts';
import type { Transaction } from './schema.ts';

export interface Window {
  name: string;
  family?: QuotaFamily | undefined;
  windowStartMs: number;
  windowEndMs: number;
}

export interface Lease extends Window, LeaseSize {
  /** Units that all nodes together may lease in the window. */
  limit: number;
}

/**
 * Leases a slice of a quota: in one statement, so that the slices of all nodes never add up to more
 * than the limit.
 * @returns the units of this slice, 0 when the limit is reached, and those that all nodes have leased
 */
export async function leaseSlice(
  tx: Transaction,
  { name, family, windowStartMs, windowEndMs, limit, ...size }: Lease,
): Promise<{ units: number; leased: number }> {
  // Parameters have no type of their own: SQLite would divide reals, PostgreSQL compare texts.
  const whole = sql<number>`cast(${limit} as bigint)`;
  const first = sliceOf(whole, size);
  const next = sliceOf(sql`(${whole} - quotas.leased)`, size);
  const row = await tx
    .insertInto('quotas')
    .values({
      name,
      window_start: windowStartMs,
      window_end: windowEndMs,
      leased: first,
      slice: first,
      ...familyColumns(family),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'window_start'])
        .doUpdateSet({
          leased: sql`quotas.leased + ${next}`,
          slice: next,
          ...familyColumns(family),
        })
        .where('quotas.leased', '<', limit),
    )
    .returning(['leased', 'slice'])
    .executeTakeFirst();
  if (row !== undefined) return { units: row.slice, leased: row.leased };
  await addToFamily(tx, { name, family, windowStartMs });
  return { units: 0, leased: limit };
}

/** Those of earlier versions are of no family yet, and of what is used up nothing else is written. */
async function addToFamily(
  tx: Transaction,
  { name, family, windowStartMs }: Omit<Window, 'windowEndMs'>,
): Promise<void> {
  if (family === undefined) return;
  await tx
    .updateTable('quotas')
    .set(familyColumns(family))
    .where('name', '=', name)
    .where('window_start', '=', windowStartMs)
    .where('family', 'is', null)
    .execute();
}

/**
 * Counts units that were taken without a lease, also beyond the limit, since it has happened; or, below
 * 0, gives back units that were leased and not taken.
 */
export async function addLeased(
  tx: Transaction,
  { name, family, windowStartMs, windowEndMs }: Window,
  units: number,
): Promise<void> {
  const added = sql<number>`cast(${units} as bigint)`;
  const most = sql<number>`cast(${MOST_UNITS} as bigint)`;
  const sum = sql<number>`case
    when quotas.leased > ${most} - ${added} then ${most}
    else quotas.leased + ${added}
  end`;
  await tx
    .insertInto('quotas')
    .values({
      name,
      window_start: windowStartMs,
      window_end: windowEndMs,
      leased: Math.min(MOST_UNITS, Math.max(0, units)),
      slice: 0,
      ...familyColumns(family),
    })
    .onConflict((conflict) =>
      conflict.columns(['name', 'window_start']).doUpdateSet({ leased: sum }),
    )
    .execute();
}

/** As `sliceOf` of quota-slice.ts: `least(left, greatest(need, least(most, left / LARGEST_PART)))`, in words that both databases know. */
function sliceOf(left: RawBuilder<number>, { need, most }: LeaseSize): RawBuilder<number> {
  const needed = sql`cast(${need} as bigint)`;
  const wanted = sql`cast(${most} as bigint)`;
  const part = sql`(${left} / ${sql.lit(LARGEST_PART)})`;
  return sql`(case
    when ${left} <= ${needed} then ${left}
    when ${part} <= ${needed} then ${needed}
    when ${part} <= ${wanted} then ${part}
    else ${wanted}
  end)`;
}

// One transaction: on the embedded database, a few milliseconds of the main thread.
const PURGED_ROWS = 1_000;

/**
 * Deletes windows that ended before that time, the oldest first and at most {@link PURGED_ROWS}. The
 * time must lie further back than the clocks of the nodes differ: a node that is late would begin a
 * deleted window anew.
 * @returns how many it deleted; while there are any, there may be more
 */
export async function purgeQuotas(tx: Transaction, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('quotas')
    .where((where) =>
      where(
        where.refTuple('name', 'window_start'),
        'in',
        where
          .selectFrom('quotas as old')
          .select(['old.name', 'old.window_start'])
          .where('old.window_end', '<', beforeMs)
          .orderBy('old.window_end')
          .limit(PURGED_ROWS)
          .$asTuple('name', 'window_start'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
