import type { Figures } from '../../api/analytics.ts';
import { formatDuration, formatShare } from '../../lib/figures.ts';
import { type ChartData, totalAt } from '../../ui/chart/chart-data.ts';

const EACH = { minute: 'a minute', hour: 'an hour', day: 'a day' } as const;

/** "3,120, at most 210 in an hour". */
export function summarizeAmount(
  name: 'requests' | 'cost' | 'tokens',
  format: (value: number) => string,
  of: (figures: Figures) => number = (figures) => (name === 'tokens' ? 0 : figures[name]),
) {
  return (totals: Figures, { series, starts, interval }: ChartData): string => {
    const total = of(totals);
    if (total === 0) return 'None';
    const most = Math.max(...starts.map((_start, index) => totalAt(series, index)));
    return `${format(total)}, at most ${format(most)} in ${EACH[interval]}`;
  };
}

/** How many failed, and how bad it was at worst. */
export function summarizeErrors({ errors, requests }: Figures, data: ChartData): string {
  if (errors === 0) return 'None';
  const worst = Math.max(...(data.series[0]?.values ?? []).map((value) => value ?? 0));
  const atWorst = `${formatShare(worst, 1)} in the worst ${data.interval}`;
  return `${formatShare(errors, requests)} of all requests, ${atWorst}`;
}

/** How long it took most requests. */
export function summarizeTimes(of: 'duration' | 'ttft') {
  return (totals: Figures): string => {
    const times = totals[of];
    if (times === null) return 'Not measured';
    const [half, most] = [times.p50, times.p95].map(formatDuration);
    return `Half within ${half}, 95% within ${most}`;
  };
}

/** How many requests the cache has answered. */
export function summarizeCache({ cached, requests }: Figures): string {
  if (cached === 0) return 'None';
  return `${formatShare(cached, requests)} of all requests answered from the gateway’s cache`;
}
