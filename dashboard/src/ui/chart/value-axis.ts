import { type ChartData, type ChartKind, totalAt } from './chart-data.ts';
import { MINUTE_MS } from '../../lib/time-units.ts';

/** What the values of a chart are. */
export type Quantity = 'count' | 'amount' | 'share' | 'milliseconds';

// Lines across the chart: enough to read it by.
const MOST_STEPS = 4;

const ROUND = [1, 2, 2.5, 5, 10];
const SECOND_MS = 1_000;
const MINUTES = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((many) => many * MINUTE_MS);

/** The greatest value, or height of bars that stand on each other. */
export function greatestOf({ series, starts }: ChartData, kind: ChartKind): number {
  if (kind === 'bars') return Math.max(0, ...starts.map((_start, index) => totalAt(series, index)));
  return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
}

/** Round values from nothing to at least the greatest, for the axis. */
export function valueTicks(greatest: number, quantity: Quantity): number[] {
  if (greatest <= 0) return quantity === 'share' ? [0, 0.5, 1] : [0, 1];
  const step = stepOf(greatest, quantity);
  const count = Math.ceil(Number((greatest / step).toPrecision(9)));
  const ticks = Array.from({ length: count + 1 }, (_tick, index) =>
    // Without the tail that binary fractions have.
    Number((index * step).toPrecision(9)),
  );
  // There is nothing beyond all.
  return quantity === 'share' ? ticks.filter((tick) => tick <= 1) : ticks;
}

function stepOf(greatest: number, quantity: Quantity): number {
  if (quantity === 'milliseconds' && greatest > 40 * SECOND_MS) {
    const step = MINUTES.find((minutes) => greatest / minutes <= MOST_STEPS);
    if (step !== undefined) return step;
  }
  const least = greatest / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (ROUND.find((round) => round * power >= least) ?? 10);
  return quantity === 'count' ? Math.max(1, Math.ceil(step)) : step;
}
