import type { Quota } from './quota.ts';
import { type Bucket, SLIDING_HEAD, bucketOf, isOver, sumOf } from './quota-store.ts';
import type { Db } from './schema.ts';

/** The units that all nodes have leased of a quota in its present window. */
export interface QuotaUsage {
  name: string;
  /** JSON that distinguishes the quota from others of its family; null: it belongs to none. */
  part: string | null;
  units: number;
  /** Of a sliding quota: the units that leave the window, the oldest first. */
  buckets: readonly Bucket[];
}

/** The quotas of a family of which most is leased. */
export interface FamilyUsage {
  usages: QuotaUsage[];
  /** The number of further quotas; exact up to some thousand. */
  more: number;
}

type Window = Pick<Quota, 'windowMs' | 'isSliding'>;

// Callers may choose what there is a quota for: counting all of them is not worth the time.
const MAX_COUNTED = 10_000;
// Units may be leased and not spent, or may have left the window since the last lease: with these, the
// order changes a little.
const MAX_CANDIDATES = 200;

/** Reads what is leased of a quota. Uses the primary key. */
export async function findUsage(
  db: Db,
  name: string,
  window: Window,
  nowMs: number,
): Promise<QuotaUsage | undefined> {
  const row = await db
    .selectFrom('quota_windows')
    .select(['name', 'part', 'leased'])
    .where('name', '=', name)
    .where('window_start', '=', rowOf(window, nowMs))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [usage] = await usagesOf(db, [row], window, nowMs);
  return usage;
}

/** Reads the quotas of a family of which most is leased. Uses `quota_windows_family`. */
export async function findFamilyUsage(
  db: Db,
  family: string,
  window: Window,
  nowMs: number,
): Promise<FamilyUsage> {
  const members = db
    .selectFrom('quota_windows')
    .where('family', '=', family)
    .where('window_start', '=', rowOf(window, nowMs))
    .where('expires_at', '>', nowMs);
  const rows = await members
    .select(['name', 'part', 'leased'])
    .orderBy('leased', 'desc')
    .limit(MAX_CANDIDATES)
    .execute();
  const usages = await usagesOf(db, rows, window, nowMs);
  if (rows.length < MAX_CANDIDATES) return { usages, more: 0 };
  const { count } = await db
    .selectFrom(members.select('name').limit(MAX_COUNTED).as('counted'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { usages, more: count - rows.length };
}

/** The start of the row that belongs to the family. */
function rowOf({ windowMs, isSliding }: Window, nowMs: number): number {
  return isSliding ? SLIDING_HEAD : nowMs - (nowMs % windowMs);
}

interface MemberRow {
  name: string;
  part: string | null;
  leased: number;
}

async function usagesOf(
  db: Db,
  rows: readonly MemberRow[],
  { isSliding }: Window,
  nowMs: number,
): Promise<QuotaUsage[]> {
  if (!isSliding || rows.length === 0) {
    return rows.map(({ name, part, leased }) => ({ name, part, units: leased, buckets: [] }));
  }
  const stored = await db
    .selectFrom('quota_windows')
    .select(['name', 'window_start', 'expires_at', 'leased'])
    .where(
      'name',
      'in',
      rows.map(({ name }) => name),
    )
    .where('window_start', '>', SLIDING_HEAD)
    .orderBy('window_start')
    .execute();
  const byName = Map.groupBy(stored, ({ name }) => name);
  return rows.map(({ name, part }) => {
    const buckets = (byName.get(name) ?? [])
      .map(bucketOf)
      .filter((bucket) => !isOver(bucket, nowMs));
    return { name, part, units: sumOf(buckets), buckets };
  });
}
