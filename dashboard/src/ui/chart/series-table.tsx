import { type ChartData, type ValueFormat, formatValue, totalAt } from './chart-data.ts';
import { intervalLabel } from './time-axis.ts';

interface SeriesTableProps {
  label: string;
  data: ChartData;
  format: ValueFormat;
  hasTotal: boolean;
}

const NUMBER = 'px-3 py-1.5 text-right whitespace-nowrap tabular-nums';

/** What a chart shows, in numbers. It scrolls by itself. */
export function SeriesTable({ label, data, format, hasTotal }: SeriesTableProps) {
  const { interval, starts, series } = data;
  return (
    // It scrolls, so the keyboard must come to it (WCAG 2.1.1).
    <div
      role="region"
      aria-label={`${label}, as a table`}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      className="h-56 overflow-auto rounded-md border border-line text-sm"
    >
      <table className="w-full">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="sticky top-0 bg-sunken px-3 py-1.5 text-left font-medium">
              Time
            </th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col" className={`${NUMBER} sticky top-0 bg-sunken font-medium`}>
                <bdi title={name} className="inline-block max-w-40 truncate align-bottom">
                  {name}
                </bdi>
              </th>
            ))}
            {hasTotal && (
              <th scope="col" className={`${NUMBER} sticky top-0 bg-sunken font-medium`}>
                Total
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {starts.map((start, index) => (
            <tr key={start}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {intervalLabel(start, interval)}
              </th>
              {series.map(({ id, values }) => (
                <td key={id} className={NUMBER}>
                  {formatValue(values[index] ?? null, format)}
                </td>
              ))}
              {hasTotal && <td className={NUMBER}>{format.exact(totalAt(series, index))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
