import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Today, todayQuery } from '../../../api/gateway-activity.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatShare,
  formatShort,
} from '../../../lib/figures.ts';
import { counted } from '../../../lib/counted.ts';
import { LoadFailure } from '../../../ui/states.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { FigureRow, FigureTile } from './figure-tile.tsx';
import { labels } from './labels.ts';
import { sinceWords } from './since-words.ts';
import { unpricedWords } from './today-of-all.tsx';

/** What a gateway did today, against the same time of yesterday. */
export function TodayFigures() {
  const { access, gateway } = useGatewayOfPage();
  const params = { accountId: access.accountId, gatewayId: gateway.id };
  const { data: today, error, refetch } = useQuery(todayQuery(params));
  if (today === undefined && error !== null) {
    return <LoadFailure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className="space-y-2">
      <Tiles today={today} />
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <span>
          {today !== undefined && labels.today(sinceWords(today.since))}{' '}
          {gateway.collect_logs
            ? labels.comparedWithTheSamePeriod
            : labels.logsAreDisabledSoRequestsAre}
        </span>
        <Link
          to="/accounts/$accountId/ai-gateway/gateways/$gatewayId/analytics"
          params={params}
          className="underline"
        >
          {labels.allAnalytics}
        </Link>
      </p>
    </div>
  );
}

function Tiles({ today }: { today: Today | undefined }) {
  if (today === undefined) {
    const names = [
      labels.requests,
      labels.errors,
      labels.cost,
      labels.tokens,
      labels.durationMedian,
    ];
    return (
      <FigureRow label={labels.todayTitle}>
        {names.map((name) => (
          <FigureTile key={name} name={name} value={undefined} note={<>&nbsp;</>} />
        ))}
      </FigureRow>
    );
  }
  const { figures, yesterday } = today;
  const tokens = figures.tokens_in + figures.tokens_out;
  const before = yesterday.tokens_in + yesterday.tokens_out;
  const errorsBefore = `yesterday ${formatShare(yesterday.errors, yesterday.requests)}`;
  return (
    <FigureRow label={labels.todayTitle}>
      <FigureTile
        name={labels.requests}
        value={<span title={formatCount(figures.requests)}>{formatShort(figures.requests)}</span>}
        note={changeWords(figures.requests, yesterday.requests)}
      />
      <FigureTile
        name={labels.errors}
        value={
          <span
            title={labels.of(formatCount(figures.errors), counted(figures.requests, 'request'))}
            className={figures.errors > 0 ? 'text-danger' : undefined}
          >
            {formatShare(figures.errors, figures.requests)}
          </span>
        }
        note={yesterday.requests > 0 ? errorsBefore : counted(figures.errors, 'request')}
      />
      <FigureTile
        name={labels.cost}
        value={formatCost(figures.cost)}
        note={
          unpricedWords(figures.requests_without_cost) ?? changeWords(figures.cost, yesterday.cost)
        }
      />
      <FigureTile
        name={labels.tokens}
        value={<span title={formatCount(tokens)}>{formatShort(tokens)}</span>}
        note={
          before > 0
            ? changeWords(tokens, before)
            : labels.inOut(formatShort(figures.tokens_in), formatShort(figures.tokens_out))
        }
      />
      <FigureTile
        name={labels.durationMedian}
        value={figures.duration === null ? '–' : formatDuration(figures.duration.p50)}
        note={
          figures.duration === null
            ? 'no request yet'
            : `95% within ${formatDuration(figures.duration.p95)}`
        }
      />
    </FigureRow>
  );
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

// Beyond, a percentage says nothing any more.
const MOST_TIMES = 10;

/** "12% more"; nothing where there is nothing to compare with. */
function changeWords(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'none yesterday either' : 'none yesterday';
  const change = now / before - 1;
  if (change > MOST_TIMES) return 'far more';
  if (Math.abs(change) < 0.005) return 'about the same';
  return `${percent.format(Math.abs(change))} ${change > 0 ? 'more' : 'less'}`;
}
