import type { QuotaFamily } from './quota-family.ts';
import { familyColumns } from './quota-family.ts';
import type { Transaction } from './schema.ts';

/** The largest number of units that is counted: every sum of units ends here, so that it is exact. */
export const MAX_UNITS = 2 ** 52;
/** The window start of the row that represents a whole sliding quota. */
export const SLIDING_HEAD = -1;

// A node leases at most this part of the remaining units at once, so that little is lost with a node that
// crashes or stays idle.
const LARGEST_PART = 8;
// Clocks of nodes differ by less. A bucket further ahead dates from before a clock was set back.
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** A part of the time: a fixed window, or one of the last parts of a sliding one. */
export interface Span {
  /** Identifies the bucket on every node. */
  startMs: number;
  /** The time from which its units no longer count. */
  expiresAtMs: number;
}

/** The units that all nodes have leased in a span. */
export interface Bucket extends Span {
  units: number;
}

/** The number of units to lease. */
export interface LeaseSize {
  /** Units that callers wait for: leased as long as that many are left. */
  need: number;
  /** Units that the node has a use for; not below `need`. */
  most: number;
}

/** A lease of one node. */
export interface SliceRequest extends LeaseSize {
  name: string;
  family?: QuotaFamily | undefined;
  isSliding: boolean;
  nowMs: number;
  /** Units that all nodes together may lease in a window. */
  limit: number;
  /** The span in which the units may be taken. */
  span: Span;
  /**
   * Units that the node has leased of spans and not taken (below 0), and units that it has taken without a
   * lease. The latter count even beyond the limit.
   */
  corrections: readonly Bucket[];
}

// A unit of a sliding quota counts up to one part longer than the window.
const PARTS_PER_WINDOW = 30;
// A busy quota is leased at least once in each part.
const MIN_PART_MS = 100;

/** A fixed window, or one that ends now. */
export interface WindowKind {
  windowMs: number;
  isSliding?: boolean | undefined;
}

/** The length of the spans of a quota, in milliseconds. */
export function spanLength({ windowMs, isSliding = false }: WindowKind): number {
  return isSliding ? Math.max(MIN_PART_MS, Math.ceil(windowMs / PARTS_PER_WINDOW)) : windowMs;
}

/** The span of a quota that a time is in. */
export function spanAt(window: WindowKind, atMs: number): Span {
  const spanMs = spanLength(window);
  const startMs = atMs - (atMs % spanMs);
  const reachMs = window.isSliding === true ? window.windowMs : 0;
  return { startMs, expiresAtMs: startMs + spanMs + reachMs };
}

/** Checks that the units of a span no longer count, or that no clock has reached it yet. */
export function isOver({ startMs, expiresAtMs }: Span, nowMs: number): boolean {
  return expiresAtMs <= nowMs || startMs > nowMs + MAX_CLOCK_DIFFERENCE_MS;
}

/** The units that a node gets when so many are left. */
export function sliceOf(left: number, { need, most }: LeaseSize): number {
  const part = Math.floor(left / LARGEST_PART);
  return Math.max(0, Math.min(left, Math.max(need, Math.min(most, part))));
}

/**
 * Leases a slice of a quota. It holds a lock on the quota, so that the slices of all nodes never add up to
 * more than the limit of a window.
 * @returns the units of this slice, 0 when the limit is reached, and all that counts now, the oldest first
 */
export async function leaseSlice(
  tx: Transaction,
  request: SliceRequest,
): Promise<{ units: number; buckets: Bucket[] }> {
  const { isSliding, nowMs, limit, span } = request;
  const stored = await lockBuckets(tx, request);
  const buckets = new Map(stored.map((bucket) => [bucket.startMs, bucket]));
  const changed = new Map<number, Bucket>();
  const add = (to: Span, units: number): void => {
    const sum = (buckets.get(to.startMs)?.units ?? 0) + units;
    const { startMs, expiresAtMs } = to;
    const bucket = { startMs, expiresAtMs, units: Math.max(0, Math.min(sum, MAX_UNITS)) };
    buckets.set(startMs, bucket);
    changed.set(startMs, bucket);
  };
  const isCounted = (bucket: Bucket): boolean =>
    isSliding ? !isOver(bucket, nowMs) : bucket.startMs === span.startMs;
  for (const correction of request.corrections) {
    if (isCounted(correction)) add(correction, correction.units);
  }
  const leased = sumOf([...buckets.values()].filter(isCounted));
  const units = sliceOf(limit - leased, request);
  if (units > 0) add(span, units);
  const counted = [...buckets.values()].filter((bucket) => isCounted(bucket) && bucket.units > 0);
  if (isSliding && counted.length > 0) changed.set(SLIDING_HEAD, headOf(counted));
  await writeBuckets(tx, request, [...changed.values()]);
  if (stored.some((bucket) => !isCounted(bucket))) await deleteOver(tx, request);
  return { units, buckets: counted.toSorted((one, other) => one.startMs - other.startMs) };
}

/** A quota of which units were taken. */
export interface TakenQuota extends WindowKind {
  name: string;
  family?: QuotaFamily | undefined;
  limit: number;
  /** The span from which they were taken. */
  span: Span;
}

/**
 * Changes the count of a quota as part of a transaction, independently of any lease.
 * @param units above 0: they count now, even beyond the limit; below 0: they are returned to the span that
 *   they were taken from, unless it is over
 */
export async function addUnits(
  tx: Transaction,
  quota: TakenQuota,
  units: number,
  nowMs: number,
): Promise<void> {
  const span = units > 0 ? spanAt(quota, nowMs) : quota.span;
  if (units === 0 || span.expiresAtMs <= nowMs) return;
  const { name, family, limit, isSliding = false } = quota;
  const corrections = [{ ...span, units }];
  const request = { name, family, isSliding, nowMs, limit, span, corrections };
  await leaseSlice(tx, { ...request, need: 0, most: 0 });
}

/** The sum of units, at most {@link MAX_UNITS}. */
export function sumOf(buckets: readonly Bucket[]): number {
  let sum = 0;
  for (const { units } of buckets) sum += units;
  return Math.min(sum, MAX_UNITS);
}

/** The row by which families are sorted: the sum of the buckets, as of the last lease. */
function headOf(buckets: readonly Bucket[]): Bucket {
  return {
    startMs: SLIDING_HEAD,
    expiresAtMs: Math.max(...buckets.map(({ expiresAtMs }) => expiresAtMs)),
    units: sumOf(buckets),
  };
}

/** Locks the row of the fixed window, or the head of the sliding one, and reads the buckets. */
async function lockBuckets(
  tx: Transaction,
  { name, family, isSliding, span }: SliceRequest,
): Promise<Bucket[]> {
  const row = await tx
    .insertInto('quota_windows')
    .values({
      name,
      window_start: isSliding ? SLIDING_HEAD : span.startMs,
      expires_at: span.expiresAtMs,
      leased: 0,
      ...familyColumns(family),
    })
    .onConflict((conflict) =>
      // An update, since only that locks the row in both dialects.
      conflict.columns(['name', 'window_start']).doUpdateSet(familyColumns(family)),
    )
    .returning(['leased'])
    .executeTakeFirstOrThrow();
  if (!isSliding) return [{ ...span, units: row.leased }];
  const rows = await tx
    .selectFrom('quota_windows')
    .select(['window_start', 'expires_at', 'leased'])
    .where('name', '=', name)
    .where('window_start', '>', SLIDING_HEAD)
    .execute();
  return rows.map(bucketOf);
}

/** A bucket as it is stored. */
export function bucketOf(row: {
  window_start: number;
  expires_at: number;
  leased: number;
}): Bucket {
  return { startMs: row.window_start, expiresAtMs: row.expires_at, units: row.leased };
}

async function writeBuckets(
  tx: Transaction,
  { name, family, isSliding }: SliceRequest,
  buckets: readonly Bucket[],
): Promise<void> {
  if (buckets.length === 0) return;
  // Only the locked row belongs to the family.
  const isHead = ({ startMs }: Bucket): boolean => !isSliding || startMs === SLIDING_HEAD;
  await tx
    .insertInto('quota_windows')
    .values(
      buckets.map((bucket) => ({
        name,
        window_start: bucket.startMs,
        expires_at: bucket.expiresAtMs,
        leased: bucket.units,
        ...familyColumns(isHead(bucket) ? family : undefined),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['name', 'window_start']).doUpdateSet((update) => ({
        leased: update.ref('excluded.leased'),
        expires_at: update.ref('excluded.expires_at'),
      })),
    )
    .execute();
}

/** Deletes the buckets of a sliding quota that no longer count. */
async function deleteOver(tx: Transaction, { name, nowMs }: SliceRequest): Promise<void> {
  await tx
    .deleteFrom('quota_windows')
    .where('name', '=', name)
    .where('window_start', '>', SLIDING_HEAD)
    .where((where) =>
      where.or([
        where('expires_at', '<=', nowMs),
        where('window_start', '>', nowMs + MAX_CLOCK_DIFFERENCE_MS),
      ]),
    )
    .execute();
}

// One transaction: on the embedded database, a few milliseconds of the main thread.
const PURGED_ROWS = 1_000;

/**
 * Deletes windows that ended before that time, the oldest first and at most {@link PURGED_ROWS}. The
 * time must be further in the past than the clocks of the nodes differ, or a node whose clock is late
 * would begin a deleted window anew.
 * @returns the number of deleted rows; while it is not 0, there may be more
 */
export async function purgeQuotas(tx: Transaction, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('quota_windows')
    .where((where) =>
      where(
        where.refTuple('name', 'window_start'),
        'in',
        where
          .selectFrom('quota_windows as old')
          .select(['old.name', 'old.window_start'])
          .where('old.expires_at', '<', beforeMs)
          .orderBy('old.expires_at')
          .limit(PURGED_ROWS)
          .$asTuple('name', 'window_start'),
      ),
    )
    // PostgreSQL checks this again for a row that a concurrent lease has extended.
    .where('expires_at', '<', beforeMs)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
