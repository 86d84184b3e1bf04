import { clsx } from 'clsx';
import { ChartColumn, RefreshCw } from '../../ui/icons.tsx';
import { type ReactNode, useMemo } from 'react';
import type { Access } from '../../api/accounts.ts';
import type { Analytics, AnalyticsSource } from '../../api/analytics.ts';
import { describeFailure } from '../../api/failure.ts';
import { formatCount } from '../../lib/figures.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { loadPlot } from '../../ui/chart/lazy-plot.tsx';
import { rangeLabel } from '../../ui/chart/time-axis.ts';
import { Card } from '../../ui/page.tsx';
import { Empty, LoadFailure } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type AnalyticsSearch, type SortKey } from './analytics-search.ts';
import { Breakdown } from './breakdown.tsx';
import { Charts, type Split } from './charts.tsx';
import { Headline } from './headline.tsx';
import { labels } from './labels.ts';
import { limitLinkFor } from './limit-link.ts';
import { logsLinkFor } from './logs-link.ts';
import { stretchOf } from './period-before.ts';
import { Toolbar } from './toolbar.tsx';
import { type ShownAnalytics, useAnalytics } from './use-analytics.ts';
import { useGroupNames } from './use-group-names.ts';

// While the figures are still being read.
void loadPlot().catch(() => undefined);

interface AnalyticsViewProps {
  access: Access;
  source: AnalyticsSource;
  search: AnalyticsSearch;
  /** Leads to another search. */
  onSearch: (search: AnalyticsSearch) => void;
  /** Between the figures and the charts. */
  children?: ReactNode;
}

/** What went through one gateway or all of them: figures, charts, and a table of groups. */
export function AnalyticsView({ access, source, search, onSearch, children }: AnalyticsViewProps) {
  const shown = useAnalytics(source, search);
  return (
    <>
      <Toolbar
        search={search}
        onSearch={onSearch}
        isOfAccount={source.gatewayId === undefined}
        access={access}
      />
      <Troubles shown={shown} />
      {shown.all.data === undefined ? (
        shown.all.error === null && <LoadingFigures />
      ) : (
        <Figures
          access={access}
          source={source}
          search={search}
          onSearch={onSearch}
          shown={shown}
          all={shown.all.data}
        >
          {children}
        </Figures>
      )}
    </>
  );
}

/** What could not be read; what was there before stays. */
function Troubles({ shown: { all, groups, refresh } }: { shown: ShownAnalytics }) {
  const error = all.error ?? groups.error;
  if (error === null) return null;
  if (all.data === undefined) return <LoadFailure error={error} onRetry={refresh} />;
  return (
    <Callout
      tone="warning"
      isAlert
      title={labels.loadingTheFailed(all.error === null ? 'breakdown' : 'figures')}
      actions={<Button onClick={refresh}>{labels.tryAgain}</Button>}
    >
      <p>
        {describeFailure(error)}
        {(all.error === null ? groups : all).data !== undefined &&
          ' The page shows earlier figures.'}
      </p>
    </Callout>
  );
}

function LoadingFigures() {
  return (
    <div role="status" className="appear-late space-y-6">
      <span className="sr-only">{labels.loading}</span>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {Array.from({ length: 8 }, (_tile, index) => (
          <div key={index} className="skeleton h-24 opacity-50" />
        ))}
      </div>
      <div className="skeleton h-72 opacity-50" />
    </div>
  );
}

interface FiguresProps extends AnalyticsViewProps {
  shown: ShownAnalytics;
  all: Analytics;
}

function Figures({ access, source, search, onSearch, shown, all, children }: FiguresProps) {
  const { totals } = all;
  const { isWaiting } = shown.all;
  return (
    <div aria-busy={isWaiting} className="space-y-6">
      <Status all={all} shown={shown} />
      {totals.requests > 0 && (
        <Dimmed isDim={isWaiting}>
          <Headline totals={totals} before={shown.before} />
          <Unpriced count={totals.requests_without_cost} />
        </Dimmed>
      )}
      {children}
      {totals.requests > 0 ? (
        <Details
          access={access}
          source={source}
          search={search}
          onSearch={onSearch}
          all={all}
          shown={shown}
        />
      ) : (
        <NoRequests source={source} search={search} onSearch={onSearch} />
      )}
    </div>
  );
}

/** What is soon replaced is paler. */
function Dimmed({ isDim, children }: { isDim: boolean; children: ReactNode }) {
  return <div className={clsx('space-y-6', isDim && 'opacity-60')}>{children}</div>;
}

/** The charts, and the table of groups. */
function Details({ access, source, search, onSearch, all, shown }: FiguresProps) {
  const { data: groups, isWaiting } = shown.groups;
  const by = groups?.group_by ?? '';
  const nameOf = useGroupNames(access, by);
  const isSplit = search.split === 'yes';
  const split = useMemo(
    (): Split | undefined =>
      isSplit && groups !== undefined ? { analytics: groups, nameOf } : undefined,
    [isSplit, groups, nameOf],
  );
  const { accountId, gatewayId } = source;
  return (
    <>
      <Dimmed isDim={shown.all.isWaiting || (isSplit && isWaiting)}>
        <Charts analytics={all} split={split} />
      </Dimmed>
      {groups !== undefined && (
        <Dimmed isDim={isWaiting}>
          <Breakdown
            analytics={groups}
            nameOf={nameOf}
            sort={search.sort ?? 'requests'}
            onSort={(sort) => onSearch(sorted(search, sort))}
            logsOf={(value) => {
              const id = gatewayId ?? (by === 'gateway' ? (value ?? undefined) : undefined);
              if (id === undefined) return undefined;
              return logsLinkFor({ accountId, gatewayId: id, by, value, search });
            }}
            limitOf={(value) => {
              const id = gatewayId ?? (by === 'gateway' ? (value ?? undefined) : undefined);
              if (!access.can('ai-gateway.write')) return undefined;
              return limitLinkFor({ accountId, gatewayId: id, by, value });
            }}
          />
        </Dimmed>
      )}
    </>
  );
}

function sorted({ sort: _sort, ...others }: AnalyticsSearch, sort: SortKey): AnalyticsSearch {
  return sort === 'requests' ? others : { ...others, sort };
}

/** Of which time the figures are, and how old. */
function Status({ all, shown }: { all: Analytics; shown: ShownAnalytics }) {
  const { interval, sinceMs, untilMs } = stretchOf(all);
  const { isRefreshing, refresh, before } = shown;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
      <p role="status">
        {rangeLabel(sinceMs, untilMs, interval)}
        {before !== undefined && all.totals.requests > 0 && labels.comparedWithPrevious}
      </p>
      <div className="flex items-center gap-3">
        <span>
          Updated <Time isPast value={new Date(shown.all.readAtMs).toISOString()} />
        </span>
        <Button
          isSmall
          isBusy={isRefreshing}
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={refresh}
        >
          {labels.refresh}
        </Button>
      </div>
    </div>
  );
}

function Unpriced({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="text-sm text-balance text-muted">
      Cost excludes {count === 1 ? 'one request' : labels.requests(formatCount(count))} with unknown
      model price. Set the price of one request with the header{' '}
      <code className="font-mono text-xs">cf-aig-custom-cost</code>. The server operator sets prices
      for all requests with <code className="font-mono text-xs">{labels.latchkeyPrices}</code>.
    </p>
  );
}

function NoRequests({
  source: { accountId, gatewayId },
  search,
  onSearch,
}: Pick<AnalyticsViewProps, 'source' | 'search' | 'onSearch'>) {
  const { range: _range, since: _since, until: _until, ...others } = search;
  return (
    <Card>
      <Empty
        icon={<ChartColumn />}
        title={labels.noRequestsInThisPeriod}
        actions={
          <>
            {search.range !== '90d' && (
              <Button onClick={() => onSearch({ ...others, range: '90d' })}>
                {labels.showTheLast90Days}
              </Button>
            )}
            {gatewayId !== undefined && (
              <LinkButton
                to="/accounts/$accountId/ai-gateway/gateways/$gatewayId"
                params={{ accountId, gatewayId }}
              >
                {labels.connectAClient}
              </LinkButton>
            )}
          </>
        }
      >
        {labels.requestsCostAndLatencyAppear(gatewayId === undefined ? 'a gateway' : 'the gateway')}
      </Empty>
    </Card>
  );
}
