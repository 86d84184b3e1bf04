import { Suspense, lazy } from 'react';
import type { PlotProps } from './plot.tsx';

/** Begins to load what draws charts: pages that will show one do so before they have the figures. */
export function loadPlot() {
  return import('./plot.tsx');
}

const Plot = lazy(async () => {
  try {
    return { default: (await loadPlot()).Plot };
  } catch {
    return { default: NoPlot };
  }
});

/** As high as the chart that will be there. */
const HEIGHT = 'h-56';

function NoPlot() {
  return (
    <p role="alert" className={`${HEIGHT} grid place-items-center text-sm text-muted`}>
      The chart could not be loaded. Reload the page, or look at the table.
    </p>
  );
}

/** Draws a chart, as soon as that is loaded. */
export function LazyPlot(props: PlotProps) {
  return (
    <Suspense fallback={<div className={`${HEIGHT} skeleton opacity-40`} />}>
      <Plot {...props} />
    </Suspense>
  );
}
