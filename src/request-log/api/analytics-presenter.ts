import type { Static } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import type { Analytics, AnalyticsGroup, Figures } from '../analytics/analytics-query.ts';
import type { AnalyticsSchema } from './analytics-schemas.ts';
import type { AnalyticsRequest } from './parse-analytics-request.ts';

const NANO_USD_PER_USD = 1e9;

/** Presents sums. */
export function presentAnalytics(
  { range, groupBy }: AnalyticsRequest,
  { totals, groups }: Analytics,
): Static<typeof AnalyticsSchema> {
  const starts = new Starts();
  return {
    since: formatTime(range.sinceMs),
    until: formatTime(range.untilMs),
    interval: range.interval,
    group_by: groupBy.name,
    totals: presentFigures(totals),
    groups: groups.map((group) => presentGroup(group, starts)),
  };
}

/** The formatted starts of intervals, which most groups share. */
class Starts {
  readonly #texts = new Map<number, string>();

  textOf(startMs: number): string {
    let text = this.#texts.get(startMs);
    if (text === undefined) this.#texts.set(startMs, (text = formatTime(startMs)));
    return text;
  }
}

function presentGroup({ value, isOther, totals, series }: AnalyticsGroup, starts: Starts) {
  return {
    value,
    is_other: isOther,
    totals: presentFigures(totals),
    series: series.map((point) => ({
      start: starts.textOf(point.startMs),
      ...presentFigures(point),
    })),
  };
}

function presentFigures(figures: Figures) {
  return {
    requests: figures.requests,
    errors: figures.errors,
    cached: figures.cached,
    tokens_in: figures.tokensIn,
    tokens_out: figures.tokensOut,
    cache_tokens: figures.cacheTokens,
    cost: figures.costNanoUsd / NANO_USD_PER_USD,
    requests_without_cost: figures.unpriced,
    requests_with_estimate: figures.estimated,
    duration: figures.duration,
    ttft: figures.ttft,
  };
}
