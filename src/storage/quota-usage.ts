import type { AliasedExpression } from 'kysely';
import type { Db } from './schema.ts';
import { type Bucket, isOver } from './sliding-quota-store.ts';

/** What all nodes have leased of one quota in its present window. */
export interface QuotaUsage {
  name: string;
  /** What tells it from others of its family; null: it is of none. */
  part: string | null;
  units: number;
  /** Of a sliding quota, which units leave the window when: the oldest first. */
  buckets: readonly Bucket[];
}

/** The quotas of a family of which most is leased. */
export interface FamilyUsage {
  usages: QuotaUsage[];
  /** How many there are besides; exact up to some thousand. */
  more: number;
}

// Callers may choose what there is a quota for: the end of the list is not worth the time.
const MAX_COUNTED = 10_000;
// What is leased is not all spent, and what was written of a sliding quota may have left the window: the
// order changes a little with what else is known.
const MOST_CANDIDATES = 200;

/** What is leased of a quota in a window. Uses the primary key. */
export async function findUsage(
  db: Db,
  name: string,
  windowStartMs: number,
): Promise<QuotaUsage | undefined> {
  const row = await db
    .selectFrom('quotas')
    .select(['part', 'leased'])
    .where('name', '=', name)
    .where('window_start', '=', windowStartMs)
    .executeTakeFirst();
  return row && { name, part: row.part, units: row.leased, buckets: [] };
}

/** The quotas of a family of which most is leased in a window. Uses `quotas_family`. */
export async function findFamilyUsage(
  db: Db,
  family: string,
  windowStartMs: number,
): Promise<FamilyUsage> {
  const members = db
    .selectFrom('quotas')
    .where('family', '=', family)
    .where('window_start', '=', windowStartMs);
  const rows = await members
    .select(['name', 'part', 'leased'])
    .orderBy('leased', 'desc')
    .limit(MOST_CANDIDATES)
    .execute();
  const usages = rows.map(({ name, part, leased }) => ({ name, part, units: leased, buckets: [] }));
  if (rows.length < MOST_CANDIDATES) return { usages, more: 0 };
  const counted = members.select('name').limit(MAX_COUNTED).as('counted');
  return { usages, more: (await countOf(db, counted)) - rows.length };
}

/** The same of a sliding quota, in the window that ends now. Uses the primary key. */
export async function findSlidingUsage(
  db: Db,
  name: string,
  window: SlidingWindow,
): Promise<QuotaUsage | undefined> {
  const row = await db
    .selectFrom('sliding_quotas')
    .select(['name', 'part', 'buckets'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row && slidingUsageOf(row, window);
}

/** The same of sliding quotas. Uses `sliding_quotas_family`. */
export async function findSlidingFamilyUsage(
  db: Db,
  family: string,
  window: SlidingWindow,
): Promise<FamilyUsage> {
  const members = db
    .selectFrom('sliding_quotas')
    .where('family', '=', family)
    .where('expires_at', '>', window.nowMs);
  const rows = await members
    .select(['name', 'part', 'buckets'])
    .orderBy('leased', 'desc')
    .limit(MOST_CANDIDATES)
    .execute();
  const usages = rows.map((row) => slidingUsageOf(row, window));
  if (rows.length < MOST_CANDIDATES) return { usages, more: 0 };
  const counted = members.select('name').limit(MAX_COUNTED).as('counted');
  return { usages, more: (await countOf(db, counted)) - rows.length };
}

interface SlidingWindow {
  nowMs: number;
  windowMs: number;
}

function slidingUsageOf(
  { name, part, buckets: text }: { name: string; part: string | null; buckets: string },
  window: SlidingWindow,
): QuotaUsage {
  const stored = JSON.parse(text) as [number, number][];
  const buckets = stored
    .map(([endMs, units]) => ({ endMs, units }))
    .filter(({ endMs }) => !isOver(endMs, window));
  const units = buckets.reduce((sum, bucket) => sum + bucket.units, 0);
  return { name, part, units, buckets };
}

async function countOf(
  db: Db,
  counted: AliasedExpression<{ name: string }, 'counted'>,
): Promise<number> {
  const { count } = await db
    .selectFrom(counted)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
