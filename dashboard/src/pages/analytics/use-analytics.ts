import { useQuery } from '@tanstack/react-query';
import {
  type Analytics,
  type AnalyticsParameters,
  type AnalyticsSource,
  type Figures,
  analyticsQuery,
} from '../../api/analytics.ts';
import { unlessFinal } from '../../api/failure.ts';
import { serverTimeOf } from '../../lib/server-time.ts';
import { INTERVAL_MS } from '../../ui/chart/time-axis.ts';
import { type AnalyticsSearch, DEFAULT_BY } from './analytics-search.ts';
import { figuresBeforeQuery } from './figures-before.ts';
import { type Stretch, stretchOf } from './period-before.ts';
import { rangeKeyOf, refreshEveryMs, windowOf } from './time-range.ts';
import { type Kept, useKept } from './use-kept.ts';

const NO_TIME: Stretch = { interval: 'minute', sinceMs: 0, untilMs: 0 };

// With the most points that a series may have, the API tells of no more groups at once.
const MOST_GROUPS = 20;

/** The figures of a search, and those of the time before. */
export interface ShownAnalytics {
  all: Kept<Analytics>;
  groups: Kept<Analytics>;
  /** Undefined: not there yet, or not kept so long. */
  before: Figures | undefined;
  isRefreshing: boolean;
  refresh: () => void;
}

/** Reads what a search asks for, again and again while it ends now. */
export function useAnalytics(source: AnalyticsSource, search: AnalyticsSearch): ShownAnalytics {
  const { by = DEFAULT_BY, sort } = search;
  const refetchInterval = unlessFinal(refreshEveryMs(search));
  const range = rangeKeyOf(search);
  const orderBy = sort === 'duration' ? 'requests' : (sort ?? 'requests');
  const grouped = { group_by: by, order_by: orderBy, limit: MOST_GROUPS } as const;
  const query = (key: string, parameters: AnalyticsParameters) => ({
    ...analyticsQuery(source, key, () => ({ ...windowOf(search), ...parameters })),
    refetchInterval,
  });
  const all = useQuery(query(range, { group_by: 'none' }));
  const groups = useQuery(query(`${range} ${orderBy} ${by}`, grouped));
  const shown = useKept(all);
  const before = useFiguresBefore(source, shown);
  return {
    all: shown,
    groups: useKept(groups),
    before,
    isRefreshing: all.isFetching || groups.isFetching,
    refresh: () => {
      void all.refetch();
      void groups.refetch();
    },
  };
}

/** Of the time that is shown, of which some may not have passed when the answer came. */
function useFiguresBefore(
  source: AnalyticsSource,
  { data: answer, readAtMs }: Kept<Analytics>,
): Figures | undefined {
  const stretch = answer === undefined ? NO_TIME : stretchOf(answer);
  const { data } = useQuery({
    ...figuresBeforeQuery(source, stretch, serverTimeOf(readAtMs)),
    enabled: answer !== undefined,
    // Of the minute before, it is as good as that of now.
    placeholderData: (last) =>
      last !== undefined && isMuchAlike(last.of, stretch) ? last : undefined,
  });
  return data?.figures;
}

function isMuchAlike(one: Stretch, other: Stretch): boolean {
  const { interval, sinceMs } = one;
  const isNear = Math.abs(sinceMs - other.sinceMs) <= INTERVAL_MS[interval];
  return interval === other.interval && isNear;
}
