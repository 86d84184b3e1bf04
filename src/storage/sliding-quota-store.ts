import { sql } from 'kysely';
import { familyColumns, type QuotaFamily } from './quota-family.ts';
import type { Transaction } from './schema.ts';
import { type LeaseSize, MOST_UNITS, sliceOf } from './quota-slice.ts';

/** Units that were taken, or may be, in one stretch of time. */
export interface Bucket {
  /** When the stretch ends: it identifies the bucket, on every node. */
  endMs: number;
  units: number;
}

export interface SlidingLease extends LeaseSize {
  name: string;
  family?: QuotaFamily | undefined;
  nowMs: number;
  windowMs: number;
  /** Units that all nodes together may lease in a window. */
  limit: number;
  /** The bucket that the units are for. */
  bucketEndMs: number;
  /**
   * What the caller leased of buckets and did not take, below 0, and what it took without a lease:
   * the latter counts even where it exceeds the limit, since it has happened.
   */
  corrections: readonly Bucket[];
}

/**
 * Leases a slice of a sliding quota, under a lock on its row, so that the slices that all nodes hold
 * in any window never add up to more than the limit.
 * @returns the units of this slice, 0 when the limit is reached, and what counts in this window
 */
export async function leaseSlidingSlice(
  tx: Transaction,
  lease: SlidingLease,
): Promise<{ units: number; buckets: Bucket[] }> {
  const buckets = new Map(await lockBuckets(tx, lease.name));
  for (const { endMs, units } of lease.corrections) {
    const sum = (buckets.get(endMs) ?? 0) + units;
    buckets.set(endMs, Math.max(0, Math.min(sum, MOST_UNITS)));
  }
  let leased = 0;
  for (const [endMs, units] of buckets) {
    if (units === 0 || isOver(endMs, lease)) buckets.delete(endMs);
    else leased += units;
  }
  const units = sliceOf(lease.limit - leased, lease);
  if (units > 0) buckets.set(lease.bucketEndMs, (buckets.get(lease.bucketEndMs) ?? 0) + units);
  const kept = [...buckets].toSorted(([a], [b]) => a - b);
  const lastEndMs = kept.at(-1)?.[0] ?? lease.nowMs;
  await tx
    .updateTable('sliding_quotas')
    .set({
      buckets: JSON.stringify(kept),
      expires_at: lastEndMs + lease.windowMs,
      leased: Math.min(leased + units, MOST_UNITS),
      ...familyColumns(lease.family),
    })
    .where('name', '=', lease.name)
    .execute();
  return { units, buckets: kept.map(([endMs, counted]) => ({ endMs, units: counted })) };
}

// By which the clocks of nodes may differ.
const MOST_AHEAD_MS = 60_000;

/**
 * Whether no moment of the bucket is part of the window that ends now. One that lies far ahead is from
 * before the clock was set back, and would count until that time comes.
 */
export function isOver(endMs: number, { nowMs, windowMs }: TimeWindow): boolean {
  return endMs + windowMs <= nowMs || endMs > nowMs + windowMs + MOST_AHEAD_MS;
}

/** The stretch of time that ends now. */
export interface TimeWindow {
  nowMs: number;
  windowMs: number;
}

async function lockBuckets(tx: Transaction, name: string): Promise<[number, number][]> {
  const row = await tx
    .insertInto('sliding_quotas')
    .values({ name, buckets: '[]', expires_at: 0 })
    // Changes nothing: it is there to lock the row, in both dialects.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ name: sql.ref('excluded.name') }),
    )
    .returning('buckets')
    .executeTakeFirstOrThrow();
  return JSON.parse(row.buckets) as [number, number][];
}
