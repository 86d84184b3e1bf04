import type { Analytics, Figures } from '../../api/analytics.ts';
import type { ChartColor, ChartData, Series } from '../../ui/chart/chart-data.ts';
import { startsBetween } from '../../ui/chart/time-axis.ts';
import { labels } from './labels.ts';
import { addFigures, stretchOf } from './period-before.ts';

/** A group of requests as the charts show it. */
export interface ChartGroup {
  id: string;
  name: string;
  color: ChartColor;
  /** Its figures by the begin of the interval; times are those of the first of several groups. */
  points: ReadonlyMap<number, Figures>;
}

/** One way to look at figures. */
export interface Measure {
  of: (figures: Figures) => number | null;
  /** In an interval without requests. */
  ofNone: number | null;
}

/** How much of something there was: nothing, where there was no request. */
export function amount(of: (figures: Figures) => number): Measure {
  return { of, ofNone: 0 };
}

/** A part of the requests, which is nothing definite where there are none. */
export function share(of: (figures: Figures) => number): Measure {
  return {
    of: (figures) => (figures.requests === 0 ? null : of(figures) / figures.requests),
    ofNone: null,
  };
}

/** What was measured, if anything was. */
export function measured(of: (figures: Figures) => number | undefined): Measure {
  return { of: (figures) => of(figures) ?? null, ofNone: null };
}

/** The intervals of an answer. */
export function frameOf(analytics: Analytics, nowMs: number): Omit<ChartData, 'series'> {
  const { interval, sinceMs, untilMs } = stretchOf(analytics);
  return {
    interval,
    starts: startsBetween(sinceMs, untilMs, interval),
    isLastOpen: untilMs > nowMs,
  };
}

type Group = Analytics['groups'][number];

/** The figures of a group by the begin of the interval. */
export function pointsOf({ series }: Pick<Group, 'series'>): Map<number, Figures> {
  return new Map(series.map(({ start, ...figures }) => [Date.parse(start), figures]));
}

/** A measure of a group as a series. */
export function seriesOf(
  { id, name, color, points }: ChartGroup,
  { of, ofNone }: Measure,
  starts: readonly number[],
): Series {
  const values = starts.map((start) => {
    const figures = points.get(start);
    return figures === undefined ? ofNone : of(figures);
  });
  return { id, name, color, values };
}

const COLORS = [1, 2, 3, 4, 5, 6, 7] as const satisfies readonly ChartColor[];

/**
 * The groups of an answer as the charts show them: as many as there are colours, and all others as one.
 * @param nameOf a group that is one, in words
 */
export function chartGroups(
  { groups }: Analytics,
  nameOf: (value: string | null) => string,
): { groups: ChartGroup[]; others: ChartGroup | undefined } {
  const single = groups.filter(({ is_other: isOther }) => !isOther);
  const shown = single.slice(0, COLORS.length).map((group, index): ChartGroup => ({
    id: group.value === null ? 'none' : `value ${group.value}`,
    name: nameOf(group.value),
    color: COLORS[index] ?? 'rest',
    points: pointsOf(group),
  }));
  const rest = groups.filter((group) => group.is_other || single.indexOf(group) >= COLORS.length);
  if (rest.length === 0) return { groups: shown, others: undefined };
  const others = {
    id: 'others',
    name: labels.allOthers,
    color: 'rest',
    points: addPoints(rest),
  } as const;
  return { groups: shown, others };
}

function addPoints(groups: readonly Group[]): Map<number, Figures> {
  const points = new Map<number, Figures>();
  for (const group of groups) {
    for (const [start, figures] of pointsOf(group)) {
      const known = points.get(start);
      points.set(start, known === undefined ? figures : addFigures([known, figures]));
    }
  }
  return points;
}
