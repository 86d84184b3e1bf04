import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  Rectangle,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import { PAINT, dashesOf } from './chart-colors.ts';
import type { ChartData, ChartKind, ValueFormat } from './chart-data.ts';
import { PointCard } from './point-card.tsx';
import { tickLabel, ticksOf } from './time-axis.ts';
import { greatestOf, valueTicks } from './value-axis.ts';

export interface PlotProps {
  /** What screen readers call it. */
  label: string;
  kind: ChartKind;
  data: ChartData;
  format: ValueFormat;
}

type Row = Record<string, number | null>;

// More of them are as thin as the gaps between them.
const MANY_BARS = 100;

const TICK = { fill: 'var(--color-muted)', fontSize: 12 };
// At the right, half of the last time.
const MARGIN = { top: 8, right: 26, bottom: 0, left: 0 };

/** Draws a chart; the arrow keys go from point to point. In a file of its own, for it is large. */
export function Plot({ label, kind, data, format }: PlotProps) {
  const { interval, starts, isLastOpen } = data;
  const rows = rowsOf(data);
  const values = valueTicks(greatestOf(data, kind), format.quantity);
  const name = {
    'aria-label': `${label}: the left and right arrow keys go from point to point`,
  };
  return (
    <ComposedChart
      {...name}
      responsive
      data={rows}
      margin={MARGIN}
      barCategoryGap={starts.length > MANY_BARS ? 0 : '18%'}
      className="h-56 w-full text-xs [&_svg]:rounded-md"
    >
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis
        dataKey="start"
        ticks={ticksOf(starts, interval)}
        interval="equidistantPreserveStart"
        minTickGap={12}
        tickFormatter={(start: number) => tickLabel(start, interval)}
        tick={TICK}
        tickLine={{ stroke: 'var(--color-edge)' }}
        axisLine={{ stroke: 'var(--color-edge)' }}
      />
      <YAxis
        width="auto"
        ticks={values}
        domain={[0, values.at(-1) ?? 1]}
        interval={0}
        tickFormatter={format.short}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        filterNull={false}
        cursor={{ stroke: 'var(--color-field-line)' }}
        wrapperStyle={{ zIndex: 20 }}
        content={pointContent(kind, data, format)}
      />
      {kind === 'bars' ? bars(data, isLastOpen ? starts.length - 1 : undefined) : lines(data)}
    </ComposedChart>
  );
}

/** What is told of the point that the pointer or the keyboard is at. */
function pointContent(kind: ChartKind, data: ChartData, format: ValueFormat) {
  return ({ active, label }: TooltipContentProps) => {
    if (!active) return null;
    const index = data.starts.indexOf(Number(label));
    return <PointCard kind={kind} data={data} format={format} index={index} />;
  };
}

function rowsOf({ starts, series }: ChartData): Row[] {
  return starts.map((start, index) => ({
    start,
    ...Object.fromEntries(series.map(({ values }, place) => [place, values[index] ?? null])),
  }));
}

/** @param openIndex the point that goes on yet, which is drawn paler: it is no sudden fall */
function bars({ starts, series }: ChartData, openIndex: number | undefined) {
  // Thin bars would be nothing but the line between them.
  const gap = starts.length > 60 ? 0 : 1;
  return series.map(({ id, name, color }, place) => (
    <Bar
      key={id}
      dataKey={place}
      name={name}
      stackId="all"
      fill={PAINT[color]}
      stroke="var(--color-surface)"
      strokeWidth={gap}
      maxBarSize={40}
      isAnimationActive={false}
      shape={({ index, ...bar }: BarShapeProps) => (
        <Rectangle
          x={bar.x}
          y={bar.y}
          width={bar.width}
          height={bar.height}
          fill={PAINT[color]}
          shapeRendering={starts.length > MANY_BARS ? 'crispEdges' : undefined}
          fillOpacity={index === openIndex ? 0.5 : 1}
          stroke="var(--color-surface)"
          strokeWidth={gap}
        />
      )}
    />
  ));
}

function lines({ series }: ChartData) {
  return series.map(({ id, name, color, values }, place) => (
    <Line
      key={id}
      dataKey={place}
      name={name}
      type="linear"
      stroke={PAINT[color]}
      strokeWidth={2}
      strokeDasharray={dashesOf(place)}
      isAnimationActive={false}
      activeDot={{ r: 4, strokeWidth: 0, fill: PAINT[color] }}
      dot={({ index, cx, cy }: DotItemDotProps) =>
        // A line between two points shows neither of those that stand alone.
        isAlone(values, index) ? (
          <circle key={index} cx={cx} cy={cy} r={2.5} fill={PAINT[color]} />
        ) : null
      }
    />
  ));
}

function isAlone(values: readonly (number | null)[], index: number): boolean {
  const [before = null, own = null, after = null] = [index - 1, index, index + 1].map(
    (place) => values[place],
  );
  return own !== null && before === null && after === null;
}
