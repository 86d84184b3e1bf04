import type { Quota } from '../../storage/quota.ts';
import {
  type FamilyUsage,
  type QuotaUsage,
  findFamilyUsage,
  findUsage,
} from '../../storage/quota-usage.ts';
import type { Quotas } from '../../storage/quotas.ts';
import type { Db } from '../../storage/schema.ts';
import { familyNameOf, fixedBudgetsOf } from './spend-budget.ts';
import type {
  SpendRule,
  Gateway,
  RuleSpend,
  SpentBudget,
  BudgetScope,
} from '../../gateway-admin/snapshot.ts';

/** The rule whose spend to read. */
export interface SpendQuery {
  gateway: Pick<Gateway, 'accountId' | 'id'>;
  rule: SpendRule;
  quota: Quota;
  nowMs: number;
  /** The leases of this node. */
  quotas: Pick<Quotas, 'readBesideLeases' | 'unspentOf'>;
  /** The quota that counts the calls without a known price. */
  unpricedName: string;
}

// Enough to find the highest spenders.
const MOST_BUDGETS = 20;

/**
 * Reads the spend of a rule in its current window from the counters that refuse requests. Units that other
 * nodes have leased count as spent: at most a hundredth of the limit per node.
 */
export async function readSpend(db: Db, query: SpendQuery): Promise<RuleSpend> {
  const { rule, quota, nowMs } = query;
  const { windowMs } = quota;
  const isFixed = rule.technique === 'fixed';
  const windowStartMs = isFixed ? nowMs - (nowMs % windowMs) : nowMs - windowMs;
  const windowEndMs = isFixed ? windowStartMs + windowMs : undefined;
  const { usages, more } = await query.quotas.readBesideLeases(
    () => findBudgets(db, query),
    (found) => found.usages.map(({ name }) => name),
  );
  const spent = usages
    .map((usage) => toBudgetUsage(usage, query, windowEndMs))
    .filter(({ part, nanoUsd }) => part.length === 0 || nanoUsd > 0)
    .toSorted((a, b) => b.nanoUsd - a.nanoUsd);
  const budgets = spent.slice(0, MOST_BUDGETS);
  const moreBudgets = more + spent.length - budgets.length;
  const unpricedCalls = rule.unpriced === 'allow' ? await readUnpriced(db, query) : 0;
  return { rule, windowStartMs, windowEndMs, budgets, moreBudgets, unpricedCalls };
}

async function readUnpriced(
  db: Db,
  { quota, nowMs, quotas, unpricedName: name }: SpendQuery,
): Promise<number> {
  const read = () => findUsage(db, name, quota, nowMs);
  const usage = await quotas.readBesideLeases(read, () => [name]);
  return Math.max(0, (usage?.units ?? 0) - quotas.unspentOf(name));
}

async function findBudgets(
  db: Db,
  { gateway, rule, quota, nowMs }: SpendQuery,
): Promise<FamilyUsage> {
  const family = familyNameOf(gateway, rule);
  if (family !== undefined) return findFamilyUsage(db, family, quota, nowMs);
  const usages: QuotaUsage[] = [];
  for (const { name, part } of fixedBudgetsOf(gateway, rule)) {
    const usage = await findUsage(db, name, quota, nowMs);
    usages.push({ name, units: 0, buckets: [], ...usage, part: JSON.stringify(part) });
  }
  return { usages, more: 0 };
}

function toBudgetUsage(
  { name, part, units, buckets }: QuotaUsage,
  { quota, nowMs, quotas }: SpendQuery,
  windowEndMs: number | undefined,
): SpentBudget {
  const nanoUsd = Math.max(0, units - quotas.unspentOf(name));
  return {
    part: part === null ? [] : (JSON.parse(part) as BudgetScope),
    nanoUsd,
    resetsAtMs:
      nanoUsd < quota.limit
        ? undefined
        : (windowEndMs ?? resetTime(nanoUsd, buckets, quota, nowMs)),
  };
}

/** Returns the time at which a sliding window has budget again. */
function resetTime(
  units: number,
  buckets: QuotaUsage['buckets'],
  { limit, windowMs }: Quota,
  nowMs: number,
): number {
  let left = units;
  for (const bucket of buckets) {
    left -= bucket.units;
    if (left < limit) return bucket.expiresAtMs;
  }
  return nowMs + windowMs;
}
