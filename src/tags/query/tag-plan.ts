import { blockOf } from '../../lib/bit-block.ts';
import { EVERY_RESOURCE, type Term, typeTerm } from '../store/tag-terms.ts';
import type { Resolution, ResolvedFilter } from './resolve-filters.ts';

/** Something asked of a resource: to be in one of these sets, or in none of them. */
export interface Condition {
  negated: boolean;
  terms: readonly Term[];
  /** How many resources are in the sets. */
  count: number;
}

/** How the resources of a query are looked for. */
export interface SearchPlan {
  /** The resources in these sets are gone through, in the order of their places. */
  driver: Condition;
  /** What is looked up of whole blocks of them; the rest is left to the check of each resource. */
  probes: readonly Condition[];
  /** The last block there is. */
  lastBlock: number;
  /** How many resources of a block match, when one condition has nothing to do with the others. */
  matchesPerBlock: number;
}

/** So few resources are checked one by one as fast as sets are read. */
const FEW_RESOURCES = 256;

/**
 * Chooses, by exact counts, what to go through and what to look up beside.
 * @param types the wanted resource types; none: all
 * @returns undefined when the counts say that nothing matches
 */
export function planSearch(
  { filters, count, wantedCount, lastSeq }: Resolution,
  types: readonly string[],
): SearchPlan | undefined {
  if (wantedCount === 0) return undefined;
  const conditions: Condition[] = [];
  let expected = wantedCount;
  if (wantedCount < count) {
    conditions.push({ negated: false, terms: types.map(typeTerm), count: wantedCount });
  }
  for (const filter of filters) {
    const has = shareOf(filter, wantedCount);
    const holds = filter.negated ? 1 - has : has;
    if (holds === 0) return undefined;
    // A filter that all fulfil says nothing.
    if (holds < 1) conditions.push(filter);
    expected *= holds;
  }
  const [driver = { negated: false, terms: [EVERY_RESOURCE], count }] = conditions
    .filter(({ negated }) => !negated)
    .sort((a, b) => a.count - b.count);
  const probes = conditions.filter((condition) => condition !== driver);
  const lastBlock = blockOf(lastSeq);
  const setsToRead = (lastBlock + 1) * countTerms(probes);
  return {
    driver,
    probes: driver.count <= Math.max(FEW_RESOURCES, setsToRead) ? [] : probes,
    lastBlock,
    matchesPerBlock: expected / (lastBlock + 1),
  };
}

/** Which part of so many resources has a tag of the filter: 0 none and 1 all, for certain. */
function shareOf({ wantedCount, isOfOneKey }: ResolvedFilter, total: number): number {
  if (isOfOneKey) return wantedCount / total;
  // A resource with several of the keys was counted several times.
  return Math.min(wantedCount / total, 1 - Number.EPSILON);
}

/** How many sets the conditions have in a block at most. */
export function countTerms(conditions: readonly Condition[]): number {
  return conditions.reduce((count, { terms }) => count + terms.length, 0);
}
