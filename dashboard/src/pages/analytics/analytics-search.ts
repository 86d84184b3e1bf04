import { isMoment } from '../../lib/time-range.ts';

/** The ranges to choose from. */
export const RANGES = ['1h', '24h', '7d', '30d', '90d', 'custom'] as const;

/** How far back the figures go; `custom`: from `since` to `until`. */
export type TimeRange = (typeof RANGES)[number];

/** Which a link without one means. */
export const DEFAULT_RANGE = '24h' satisfies TimeRange;

/** Of which the groups that have the most come first. */
export type SortKey = 'requests' | 'errors' | 'cost' | 'tokens' | 'duration';

const SORT_KEYS: ReadonlySet<string> = new Set([
  'requests',
  'errors',
  'cost',
  'tokens',
  'duration',
]);

/** By what figures are broken down when nobody has chosen. */
export const DEFAULT_BY = 'model';

/** All that the address of analytics tells: going back shows the same again. */
export interface AnalyticsSearch {
  range?: TimeRange;
  /** RFC 3339, with the range `custom`. */
  since?: string;
  until?: string;
  /** By what the figures are broken down, as the API calls it: `provider`, `metadata.team`. */
  by?: string;
  /** Whether the charts show each group by itself. */
  split?: 'yes';
  sort?: SortKey;
}

const GROUP_BY =
  /^(?:model|provider|token|user|oauth_client|status|gateway|(?:metadata|tag)\..+)$/su;

/** Takes from an address what there is; what makes no sense is left out. */
export function parseAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const [range, since, until, by, sort] = ['range', 'since', 'until', 'by', 'sort'].map((name) =>
    textOf(search[name]),
  ) as [string, string, string, string, string];
  const isCustom = range === 'custom';
  return {
    ...(isRange(range) && { range }),
    ...(isCustom && isMoment(since) && { since }),
    ...(isCustom && isMoment(until) && { until }),
    ...(GROUP_BY.test(by) && by !== DEFAULT_BY && { by }),
    ...(search.split === 'yes' && { split: 'yes' }),
    ...(SORT_KEYS.has(sort) && sort !== 'requests' && { sort: sort as SortKey }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRange(text: string): text is TimeRange {
  return RANGES.some((range) => range === text);
}
