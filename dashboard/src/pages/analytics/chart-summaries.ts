import type { Figures } from '../../api/analytics.ts';
import { formatDuration, formatShare } from '../../lib/figures.ts';
import { type ChartData, totalAt } from '../../ui/chart/chart-data.ts';
import { labels } from './labels.ts';

const EACH = { minute: 'a minute', hour: 'an hour', day: 'a day' } as const;

/** "3,120, at most 210 in an hour". */
export function summarizeAmount(
  name: 'requests' | 'cost' | 'tokens',
  format: (value: number) => string,
  of: (figures: Figures) => number = (figures) => (name === 'tokens' ? 0 : figures[name]),
) {
  return (totals: Figures, { series, starts, interval }: ChartData): string => {
    const total = of(totals);
    if (total === 0) return labels.none;
    const most = Math.max(...starts.map((_start, index) => totalAt(series, index)));
    return labels.atMostIn(format(total), format(most), EACH[interval]);
  };
}

/** How many failed, and how bad it was at worst. */
export function summarizeErrors({ errors, requests }: Figures, data: ChartData): string {
  if (errors === 0) return labels.none;
  const worst = Math.max(...(data.series[0]?.values ?? []).map((value) => value ?? 0));
  const atWorst = labels.inTheWorst(formatShare(worst, 1), data.interval);
  return labels.ofAllRequests(formatShare(errors, requests), atWorst);
}

/** How long it took most requests. */
export function summarizeTimes(of: 'duration' | 'ttft') {
  return (totals: Figures): string => {
    const times = totals[of];
    if (times === null) return labels.noData;
    const [half, most] = [times.p50, times.p95].map(formatDuration);
    return `50% within ${half}, 95% within ${most}`;
  };
}

/** How many requests the cache has answered. */
export function summarizeCache({ cached, requests }: Figures): string {
  if (cached === 0) return labels.none;
  return labels.ofAllRequestsServed(formatShare(cached, requests));
}
