import { queryOptions } from '@tanstack/react-query';
import { type AnalyticsSource, analyticsKey, readAnalytics } from '../../api/analytics.ts';
import { type Stretch, addFigures, periodBefore } from './period-before.ts';

/** The figures of the time before that which an answer tells of. */
export const figuresBeforeQuery = (source: AnalyticsSource, stretch: Stretch, nowMs: number) => {
  const { whole, begin } = periodBefore(stretch, nowMs);
  return queryOptions({
    queryKey: [...analyticsKey(source), 'before', whole, begin],
    // What is over does not change.
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) => {
      const stretches = begin === undefined ? [whole] : [whole, begin];
      const answers = await Promise.all(
        stretches.map(({ interval, sinceMs, untilMs }) => {
          const query = { interval, since: iso(sinceMs), until: iso(untilMs) };
          return readAnalytics(source, query, signal);
        }),
      );
      return { of: stretch, figures: addFigures(answers.map(({ totals }) => totals)) };
    },
  });
};

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
