import { useMemo } from 'react';
import type { Analytics, Figures } from '../../api/analytics.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatShare,
  formatShort,
  formatShortCost,
} from '../../lib/figures.ts';
import { serverNow } from '../../lib/server-time.ts';
import type { ChartColor, ChartData, ChartKind, ValueFormat } from '../../ui/chart/chart-data.ts';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import {
  type ChartGroup,
  type Measure,
  amount,
  chartGroups,
  frameOf,
  measured,
  pointsOf,
  seriesOf,
  share,
} from './chart-series.ts';
import {
  summarizeAmount,
  summarizeCache,
  summarizeErrors,
  summarizeTimes,
} from './chart-summaries.ts';
import { labels } from './labels.ts';

const COUNT: ValueFormat = { exact: formatCount, short: formatShort, quantity: 'count' };
const COST: ValueFormat = { exact: formatCost, short: formatShortCost, quantity: 'amount' };
const SHARE: ValueFormat = {
  exact: (value) => formatShare(value, 1),
  short: (value) => formatShare(value, 1),
  quantity: 'share',
};
const TIME: ValueFormat = {
  exact: formatDuration,
  short: formatDuration,
  quantity: 'milliseconds',
};

// More lines than these cannot be followed.
const MOST_LINES = 5;

/** One of several series of which a chart consists when groups are not told apart. */
interface Part extends Measure {
  name: string;
  color: ChartColor;
}

interface Chart {
  title: string;
  kind: ChartKind;
  format: ValueFormat;
  parts: readonly Part[];
  /** What is shown of each group; where it is not the whole, it has a name. */
  ofGroup: Measure & { name?: string };
  summary: (totals: Figures, data: ChartData) => string;
}

const tokensOf = (figures: Figures): number => figures.tokens_in + figures.tokens_out;

function part(name: string, color: ChartColor, measure: Measure): Part {
  return { name, color, ...measure };
}

function percentiles(of: 'duration' | 'ttft'): Pick<Chart, 'parts' | 'ofGroup'> {
  return {
    parts: [
      part(
        labels.medianP50,
        3,
        measured((figures) => figures[of]?.p50),
      ),
      part(
        '95% (p95)',
        2,
        measured((figures) => figures[of]?.p95),
      ),
      part(
        '99% (p99)',
        4,
        measured((figures) => figures[of]?.p99),
      ),
    ],
    ofGroup: { ...measured((figures) => figures[of]?.p95), name: 'p95' },
  };
}

const REQUESTS: Chart = {
  title: labels.requestsTitle,
  kind: 'bars',
  format: COUNT,
  parts: [
    part(
      labels.fromTheProvider,
      1,
      amount(({ requests, errors, cached }) => Math.max(0, requests - errors - cached)),
    ),
    part(
      labels.fromTheCache,
      5,
      amount(({ cached }) => cached),
    ),
    part(
      labels.errors,
      'bad',
      amount(({ errors }) => errors),
    ),
  ],
  ofGroup: amount(({ requests }) => requests),
  summary: summarizeAmount('requests', formatCount),
};

const OTHERS: readonly Chart[] = [
  {
    title: labels.errorShare,
    kind: 'lines',
    format: SHARE,
    parts: [
      part(
        labels.errors,
        'bad',
        share(({ errors }) => errors),
      ),
    ],
    ofGroup: share(({ errors }) => errors),
    summary: summarizeErrors,
  },
  {
    title: labels.cost,
    kind: 'bars',
    format: COST,
    parts: [
      part(
        labels.cost,
        1,
        amount(({ cost }) => cost),
      ),
    ],
    ofGroup: amount(({ cost }) => cost),
    summary: summarizeAmount('cost', formatCost),
  },
  {
    title: labels.tokens,
    kind: 'bars',
    format: COUNT,
    parts: [
      part(
        labels.input,
        1,
        amount((figures) => Math.max(0, figures.tokens_in - figures.cache_tokens)),
      ),
      part(
        labels.cachedInput,
        5,
        amount((figures) => Math.min(figures.cache_tokens, figures.tokens_in)),
      ),
      part(
        labels.output,
        2,
        amount((figures) => figures.tokens_out),
      ),
    ],
    ofGroup: amount(tokensOf),
    summary: summarizeAmount('tokens', formatShort, tokensOf),
  },
  {
    title: labels.duration,
    kind: 'lines',
    format: TIME,
    ...percentiles('duration'),
    summary: summarizeTimes('duration'),
  },
  {
    title: labels.timeToFirstToken,
    kind: 'lines',
    format: TIME,
    ...percentiles('ttft'),
    summary: summarizeTimes('ttft'),
  },
  {
    title: labels.cacheHits,
    kind: 'lines',
    format: SHARE,
    parts: [
      part(
        labels.fromTheCache,
        5,
        share(({ cached }) => cached),
      ),
    ],
    ofGroup: share(({ cached }) => cached),
    summary: summarizeCache,
  },
];

/** Groups by which the charts are told apart. */
export interface Split {
  analytics: Analytics;
  nameOf: (value: string | null) => string;
}

interface ChartsProps {
  analytics: Analytics;
  /** Undefined: all requests together. */
  split: Split | undefined;
}

/** All that is shown over time. */
export function Charts({ analytics, split }: ChartsProps) {
  // Told once: drawing is what costs.
  const charts = useMemo(() => chartsOf(analytics, split), [analytics, split]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {charts.map(({ chart, data }) => (
        <div key={chart.title} className={chart === REQUESTS ? 'min-w-0 lg:col-span-2' : 'min-w-0'}>
          <TimeChart
            title={titleOf(chart, split)}
            summary={`${chart.summary(analytics.totals, data.whole)}${data.note}`}
            kind={chart.kind}
            data={data.shown}
            format={chart.format}
          />
        </div>
      ))}
    </div>
  );
}

function titleOf({ title, ofGroup }: Chart, split: Split | undefined): string {
  return split === undefined || ofGroup.name === undefined ? title : `${title} (${ofGroup.name})`;
}

function chartsOf(analytics: Analytics, split: Split | undefined) {
  const frame = frameOf(analytics, serverNow());
  const [all] = analytics.groups;
  const points = all === undefined ? new Map<number, Figures>() : pointsOf(all);
  const groups = split === undefined ? undefined : chartGroups(split.analytics, split.nameOf);
  return [REQUESTS, ...OTHERS].map((chart) => {
    const whole = { ...frame, series: chart.parts.map((one) => wholeSeries(one, points, frame)) };
    if (groups === undefined) return { chart, data: { whole, shown: whole, note: '' } };
    const series = groupSeries(chart, groups, frame.starts);
    const isPart = chart.kind === 'lines' && series.length < groups.groups.length;
    const note = isPart ? labels.linesShow(series.length) : '';
    return { chart, data: { whole, shown: { ...frame, series }, note } };
  });
}

function wholeSeries(
  { name, color, ...measure }: Part,
  points: ReadonlyMap<number, Figures>,
  { starts }: Pick<ChartData, 'starts'>,
) {
  return seriesOf({ id: name, name, color, points }, measure, starts);
}

function groupSeries(
  { kind, ofGroup }: Chart,
  { groups, others }: ReturnType<typeof chartGroups>,
  starts: readonly number[],
) {
  // Shares and times of several groups together are not those of all of them.
  const shown: ChartGroup[] =
    kind === 'lines'
      ? groups.slice(0, MOST_LINES)
      : [...groups, ...(others === undefined ? [] : [others])];
  return shown.map((group) => seriesOf(group, ofGroup, starts));
}
