import { ChartLine, Table2 } from '../icons.tsx';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../button.tsx';
import type { ChartData, ChartKind, ValueFormat } from './chart-data.ts';
import { LazyPlot } from './lazy-plot.tsx';
import { SeriesMark } from './series-mark.tsx';
import { SeriesTable } from './series-table.tsx';

interface TimeChartProps {
  title: string;
  /** What it says, in a line: for a start, and for whoever does not see it. */
  summary: ReactNode;
  /** Bars stand on each other: their series add up. */
  kind: ChartKind;
  data: ChartData;
  format: ValueFormat;
}

/** Something over time: as a chart, or as a table with the same figures. */
export function TimeChart({ title, summary, kind, data, format }: TimeChartProps) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const { series } = data;
  const Icon = isTable ? ChartLine : Table2;
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-w-0 flex-col rounded-xl border border-line bg-surface px-5 pt-4 pb-3 shadow-card"
    >
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-sm text-muted wrap-anywhere">{summary}</p>
        </div>
        <IconButton
          label={isTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
          icon={<Icon aria-hidden className="size-4" />}
          onClick={() => setIsTable(!isTable)}
        />
      </header>
      <div className="mt-2">
        {isTable ? (
          <SeriesTable
            label={title}
            data={data}
            format={format}
            hasTotal={kind === 'bars' && series.length > 1}
          />
        ) : (
          <LazyPlot label={title} kind={kind} data={data} format={format} />
        )}
      </div>
      {series.length > 1 && <Legend kind={kind} data={data} />}
    </section>
  );
}

function Legend({ kind, data: { series } }: Pick<TimeChartProps, 'kind' | 'data'>) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {series.map(({ id, name, color }, index) => (
        <li key={id} className="flex max-w-56 min-w-0 items-center gap-1.5">
          <SeriesMark kind={kind} color={color} index={index} />
          <bdi title={name} className="truncate">
            {name}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
