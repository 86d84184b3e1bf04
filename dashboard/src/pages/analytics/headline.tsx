import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from '../../ui/icons.tsx';
import type { Figures } from '../../api/analytics.ts';
import { counted } from '../../lib/counted.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatShare,
  formatShort,
} from '../../lib/figures.ts';
import {
  type Comparison,
  FEWER,
  HIGHER,
  MORE,
  SLOWER,
  compareAmounts,
  compareShares,
} from './comparison.ts';
import { labels } from './labels.ts';

interface Tile {
  label: string;
  value: string;
  /** The number behind a short form. */
  exact?: string;
  note?: string | undefined;
  comparison: Comparison | undefined;
}

interface HeadlineProps {
  totals: Figures;
  /** Those of the time before; undefined while nobody knows them. */
  before: Figures | undefined;
}

/** The few figures that most people come for. */
export function Headline({ totals, before }: HeadlineProps) {
  const tiles = [...amountTiles(totals, before), ...qualityTiles(totals, before)];
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {tiles.map((tile) => (
        <div
          key={tile.label}
          className="min-w-0 rounded-xl border border-line bg-surface px-4 py-3 shadow-card"
        >
          <dt className="text-sm text-muted">{tile.label}</dt>
          <dd>
            <span title={tile.exact} className="text-xl font-semibold tabular-nums sm:text-2xl">
              {tile.value}
            </span>
            <Change comparison={tile.comparison} />
            {tile.note !== undefined && (
              <span className="block text-sm text-muted">{tile.note}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const TONES = { neutral: 'text-muted', good: 'text-accent', danger: 'text-danger' } as const;

function Change({ comparison }: { comparison: Comparison | undefined }) {
  // The place is kept, so that nothing jumps when it comes.
  if (comparison === undefined) return <span className="block text-sm">&nbsp;</span>;
  const { words, direction, tone } = comparison;
  const Icon = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <span className={clsx('flex items-center gap-1 text-sm', TONES[tone])}>
      {direction !== 'same' && <Icon aria-hidden className="size-3.5 shrink-0" />}
      {words}
    </span>
  );
}

function tokensOf(figures: Figures): number {
  return figures.tokens_in + figures.tokens_out;
}

function shareOf(part: number, { requests }: Figures): number {
  return requests === 0 ? 0 : part / requests;
}

/** The share of the time before; null: there was no request. */
function shareBefore(before: Figures, of: 'errors' | 'cached'): number | null {
  return before.requests === 0 ? null : before[of] / before.requests;
}

/** Of those whose cost is known; null: there are none. */
function costOfOne({ cost, requests, requests_without_cost: unpriced }: Figures): number | null {
  return requests === unpriced ? null : cost / (requests - unpriced);
}

function written(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

function amountTiles(totals: Figures, before: Figures | undefined): Tile[] {
  const { requests, errors, cost, tokens_in: tokensIn, tokens_out: tokensOut } = totals;
  const unpriced = totals.requests_without_cost;
  return [
    {
      label: labels.requestsTitle,
      value: formatShort(requests),
      exact: formatCount(requests),
      note: labels.countFromTheCache(formatCount(totals.cached)),
      comparison: before && compareAmounts(requests, before.requests, FEWER),
    },
    {
      label: labels.errors,
      value: formatShare(errors, requests),
      note: labels.of(formatCount(errors), counted(requests, 'request')),
      comparison:
        before &&
        compareShares(shareOf(errors, totals), shareBefore(before, 'errors'), {
          ...HIGHER,
          isUpBad: true,
        }),
    },
    {
      label: labels.cost,
      value: formatCost(cost),
      note: unpriced === 0 ? undefined : `without ${counted(unpriced, 'request')}`,
      comparison: before && compareAmounts(cost, before.cost, MORE),
    },
    {
      label: labels.tokens,
      value: formatShort(tokensOf(totals)),
      exact: formatCount(tokensOf(totals)),
      note: labels.inOut(formatShort(tokensIn), formatShort(tokensOut)),
      comparison: before && compareAmounts(tokensOf(totals), tokensOf(before), FEWER),
    },
  ];
}

function qualityTiles(totals: Figures, before: Figures | undefined): Tile[] {
  return [
    timeTile(labels.durationMedian, 'duration', totals, before),
    timeTile(labels.firstTokenMedian, 'ttft', totals, before),
    {
      label: labels.cacheHits,
      value: formatShare(totals.cached, totals.requests),
      note: counted(totals.cached, 'request'),
      comparison:
        before &&
        compareShares(shareOf(totals.cached, totals), shareBefore(before, 'cached'), HIGHER),
    },
    {
      label: labels.costPer1000Requests,
      value: written(costOfOne(totals), (cost) => formatCost(cost * 1_000)),
      comparison: before && compareAmounts(costOfOne(totals), costOfOne(before), MORE),
    },
  ];
}

function timeTile(
  label: string,
  of: 'duration' | 'ttft',
  totals: Figures,
  before: Figures | undefined,
): Tile {
  const times = totals[of];
  return {
    label,
    value: times === null ? '–' : formatDuration(times.p50),
    note: times === null ? 'no data' : `95% within ${formatDuration(times.p95)}`,
    comparison: before && compareAmounts(times?.p50 ?? null, before[of]?.p50 ?? null, SLOWER),
  };
}
