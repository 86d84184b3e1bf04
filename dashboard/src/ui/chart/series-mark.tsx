import { PAINT, dashesOf } from './chart-colors.ts';
import type { ChartColor, ChartKind } from './chart-data.ts';

interface SeriesMarkProps {
  kind: ChartKind;
  color: ChartColor;
  /** Its place among the others. */
  index: number;
}

/** How a series is drawn, beside its name. */
export function SeriesMark({ kind, color, index }: SeriesMarkProps) {
  return (
    <svg aria-hidden viewBox="0 0 16 10" className="h-2.5 w-4 shrink-0">
      {kind === 'bars' ? (
        <rect width="10" height="10" x="3" rx="2" fill={PAINT[color]} />
      ) : (
        <line
          x1="0"
          x2="16"
          y1="5"
          y2="5"
          stroke={PAINT[color]}
          strokeWidth="2.5"
          strokeDasharray={dashesOf(index)}
        />
      )}
    </svg>
  );
}
