import type { ChartColor } from './chart-data.ts';

/** Colours as drawings name them. */
export const PAINT: Readonly<Record<ChartColor, string>> = {
  1: 'var(--color-chart-1)',
  2: 'var(--color-chart-2)',
  3: 'var(--color-chart-3)',
  4: 'var(--color-chart-4)',
  5: 'var(--color-chart-5)',
  6: 'var(--color-chart-6)',
  7: 'var(--color-chart-7)',
  rest: 'var(--color-chart-rest)',
  bad: 'var(--color-chart-bad)',
};

// One of several lines is told from the others by its dashes, too.
const DASHES = ['0', '6 3', '2 3', '8 3 2 3', '10 4', '4 2', '1 3'] as const;

/** How the line of a series is broken, by its place among the others. */
export function dashesOf(index: number): string {
  return DASHES[index % DASHES.length] ?? '0';
}
