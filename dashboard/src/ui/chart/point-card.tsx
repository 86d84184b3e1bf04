import {
  type ChartData,
  type ChartKind,
  type ValueFormat,
  formatValue,
  totalAt,
} from './chart-data.ts';
import { SeriesMark } from './series-mark.tsx';
import { intervalLabel } from './time-axis.ts';

interface PointCardProps {
  kind: ChartKind;
  data: ChartData;
  format: ValueFormat;
  index: number;
}

/** Everything that a chart has to say about one point. */
export function PointCard({ kind, data, format, index }: PointCardProps) {
  const { interval, starts, series, isLastOpen } = data;
  const start = starts[index];
  if (start === undefined) return null;
  const isOpen = isLastOpen && index === starts.length - 1;
  return (
    // Whoever goes through the points by keyboard hears each of them.
    <div
      role="status"
      className="max-w-72 rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-float"
    >
      <p className="mb-1 font-medium">
        {intervalLabel(start, interval)}
        {isOpen && <span className="font-normal text-muted">, so far</span>}
      </p>
      <ul>
        {series.map(({ id, name, color, values }, place) => (
          <li key={id} className="flex items-center gap-2">
            <SeriesMark kind={kind} color={color} index={place} />
            <bdi className="min-w-0 flex-1 truncate text-muted">{name}</bdi>{' '}
            <span className="tabular-nums">{formatValue(values[index] ?? null, format)}</span>
          </li>
        ))}
        {kind === 'bars' && series.length > 1 && (
          <li className="mt-1 flex justify-between gap-4 border-t border-line pt-1 font-medium">
            <span className="flex-1">Total</span>{' '}
            <span className="tabular-nums">{format.exact(totalAt(series, index))}</span>
          </li>
        )}
      </ul>
    </div>
  );
}
