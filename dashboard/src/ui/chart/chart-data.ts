import type { Quantity } from './value-axis.ts';

/** Length of a point of a chart. Days are days of UTC. */
export type Interval = 'minute' | 'hour' | 'day';

/** Bars stand on each other: their series add up. */
export type ChartKind = 'bars' | 'lines';

/** The colours of charts: seven that tell alike things apart, one for the rest, one for what went wrong. */
export type ChartColor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'rest' | 'bad';

/** One thing that is shown over time. */
export interface Series {
  /** Unlike that of any other of the chart. */
  id: string;
  name: string;
  color: ChartColor;
  /** A value for each point of the chart; null: nothing was measured. */
  values: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartData {
  interval: Interval;
  /** When each point begins, in milliseconds since 1970. */
  starts: readonly number[];
  series: readonly Series[];
  /** Whether the last point goes on yet. */
  isLastOpen: boolean;
}

/** How the values of a chart are written. */
export interface ValueFormat {
  /** To the last digit that matters: in the table and for a single point. */
  exact: (value: number) => string;
  /** For the axis. */
  short: (value: number) => string;
  quantity: Quantity;
}

/** The value of a point in words. */
export function formatValue(value: number | null, { exact }: ValueFormat): string {
  return value === null ? '–' : exact(value);
}

/** All series together at a point. */
export function totalAt(series: readonly Series[], index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
}
