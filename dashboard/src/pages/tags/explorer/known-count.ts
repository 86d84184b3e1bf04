import { useQuery } from '@tanstack/react-query';
import {
  type KeySummary,
  type ResourcePage,
  VALUES_OF_SUMMARY,
  keySummaryQuery,
  tagTypesQuery,
} from '../../../api/tags.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCount } from '../../../lib/figures.ts';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { type TagFilter, faultOfFilter, readTagFilter } from './tag-filter.ts';

/**
 * How many resources match, where the counts of the API tell it: of any types, with at most one condition on
 * tags. Undefined where they do not.
 */
export function useKnownCount({ access, query }: Explorer): number | undefined {
  const { accountId } = access;
  const { tag = [], type: types = [], id, name, case_insensitive: isCaseless } = query;
  const filter = tag[0] === undefined ? undefined : readTagFilter(tag[0]);
  const isFaulty = filter !== undefined && faultOfFilter(filter) !== undefined;
  const isCounted = tag.length <= 1 && !isFaulty && id === undefined && name === undefined;
  const isOfKey = isCounted && filter !== undefined && isCaseless !== true;
  const { data: counts } = useQuery(tagTypesQuery(accountId));
  const { data: summary } = useQuery({
    ...keySummaryQuery(accountId, filter?.key ?? '', types),
    enabled: isOfKey,
  });
  if (!isCounted || counts === undefined) return undefined;
  const ofTypes = counts
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .reduce((sum, { count }) => sum + count, 0);
  if (filter === undefined) return ofTypes;
  if (!isOfKey || summary === undefined) return undefined;
  const matching = countOf(summary, filter);
  if (matching === undefined) return undefined;
  return filter.isNegated ? ofTypes - matching : matching;
}

/** How many have the key with one of the values; undefined when a value is not among those that are told. */
function countOf(summary: KeySummary | null, { values }: TagFilter): number | undefined {
  if (summary === null) return 0;
  if (values === undefined) return summary.count;
  const counts = new Map(summary.facets.map(({ value, count }) => [value, count]));
  const isWhole = summary.facets.length < VALUES_OF_SUMMARY;
  let sum = 0;
  for (const value of new Set(values)) {
    const count = counts.get(value);
    if (count === undefined && !isWhole) return undefined;
    sum += count ?? 0;
  }
  return sum;
}

/** The title of the results. */
export function describeCount(
  count: number | undefined,
  { resources, next }: ResourcePage,
  isFirst: boolean,
): string {
  if (count !== undefined) return counted(count, 'resource');
  if (isFirst && next !== undefined) return labels.moreThanResources(formatCount(resources.length));
  return labels.onThisPage(counted(resources.length, 'resource'));
}
