import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, RefreshCw, ScrollText } from '../../ui/icons.tsx';
import { useEffect, useRef } from 'react';
import { type AuditRow, type AuditSource, auditLogQuery } from '../../api/audit-log.ts';
import { download } from '../../lib/download.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, LoadFailure, LoadingRows } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, DEFAULT_RANGE, filtersOf } from './audit-search.ts';
import { describeAction, describeActor, nameOf, resultWords } from './audit-words.ts';
import { labels } from './labels.ts';
import { RANGE_WORDS, rangeKeyOf, windowOf } from './time-window.ts';

interface AuditViewProps {
  source: AuditSource;
  search: AuditSearch;
  /** Leads to another search; in the place of this one, when it is no step to come back to. */
  onSearch: (search: AuditSearch, isInPlace?: boolean) => void;
}

/** A log with what narrows it, and the details of the entry that is open. */
export function AuditView({ source, search, onSearch }: AuditViewProps) {
  const { row, ...listed } = search;
  return (
    <>
      <AuditFilters source={source} search={search} onSearch={onSearch} />
      <AuditList source={source} search={listed} onSearch={onSearch} />
      <AuditDetail
        source={source}
        id={row}
        search={search}
        onClose={() => onSearch(listed, true)}
      />
    </>
  );
}

function AuditList({ source, search, onSearch }: AuditViewProps) {
  const filters = Object.fromEntries(filtersOf(search));
  const log = useInfiniteQuery(
    auditLogQuery(source, filters, rangeKeyOf(search), () => windowOf(search)),
  );
  const { data, error, isPending, isLoadingError, isRefetchError, isFetchNextPageError } = log;
  if (isPending)
    return (
      <Card>
        <LoadingRows rows={6} />
      </Card>
    );
  if (isLoadingError) {
    return <LoadFailure error={error} onRetry={() => void log.refetch()} />;
  }
  const rows = rowsOf(data);
  if (rows.length === 0) return <Nothing search={search} onSearch={onSearch} />;
  return (
    <div className="space-y-4">
      <Toolbar rows={rows} isRefreshing={log.isRefetching} onRefresh={() => void log.refetch()} />
      {isRefetchError && <LoadFailure error={error} onRetry={() => void log.refetch()} />}
      <Card isFlush>
        <Table
          caption={labels.entriesNewestFirst}
          columns={columnsOf(search)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      </Card>
      {isFetchNextPageError && (
        <LoadFailure error={error} onRetry={() => void log.fetchNextPage()} />
      )}
      <End
        count={rows.length}
        hasMore={log.hasNextPage}
        isLoading={log.isFetchingNextPage}
        onMore={() => void log.fetchNextPage()}
      />
    </div>
  );
}

function rowsOf(data: InfiniteData<{ rows: AuditRow[] }>): AuditRow[] {
  return data.pages.flatMap(({ rows }) => rows);
}

function Nothing({ search, onSearch }: Omit<AuditViewProps, 'source'>) {
  const { range = DEFAULT_RANGE, since, before } = search;
  const isFiltered = filtersOf(search).length > 0;
  const window: AuditSearch = {
    ...(search.range && { range }),
    ...(since && { since }),
    ...(before && { before }),
  };
  return (
    <Card>
      <Empty
        icon={<ScrollText />}
        title={isFiltered ? labels.noMatchingEntries : labels.noEntriesInThisPeriod}
        actions={
          <>
            {isFiltered && <Button onClick={() => onSearch(window)}>{labels.removeFilters}</Button>}
            {range !== '30d' && (
              <Button
                onClick={() => {
                  const { since: _since, before: _before, ...others } = search;
                  onSearch({ ...others, range: '30d' });
                }}
              >
                {labels.showTheLast30Days}
              </Button>
            )}
          </>
        }
      >
        {range === 'custom' ? labels.inTheSelectedPeriod : `${RANGE_WORDS[range]}.`}
      </Empty>
    </Card>
  );
}

interface ToolbarProps {
  rows: readonly AuditRow[];
  isRefreshing: boolean;
  onRefresh: () => void;
}

function Toolbar({ rows, isRefreshing, onRefresh }: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-sm text-muted">
        {labels.newestFirst(rows.length === 1 ? 'One entry' : `${rows.length} entries`)}
      </p>
      <div className="flex gap-2">
        <Button
          isSmall
          isBusy={isRefreshing}
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={onRefresh}
        >
          {labels.refresh}
        </Button>
        <Button
          isSmall
          icon={<Download aria-hidden className="size-4" />}
          onClick={() =>
            download('audit-log.json', 'application/json', JSON.stringify(rows, null, 2))
          }
        >
          {labels.downloadJson}
        </Button>
      </div>
    </div>
  );
}

function columnsOf(search: AuditSearch): Column<AuditRow>[] {
  return [
    { title: labels.action, cell: (row) => <What row={row} search={search} /> },
    { title: labels.actor, cell: (row) => <Who row={row} /> },
    {
      title: labels.time,
      cell: ({ action }) => (
        <span className="whitespace-nowrap">
          <Time value={action.time} />
        </span>
      ),
    },
  ];
}

function What({ row, search }: { row: AuditRow; search: AuditSearch }) {
  const name = nameOf(row);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-md:text-left">
      <Link
        to="."
        search={{ ...search, row: row.id }}
        resetScroll={false}
        className="font-medium underline decoration-line underline-offset-4 hover:decoration-current"
      >
        {describeAction(row)}
      </Link>
      {name !== undefined && <span className="font-normal wrap-anywhere">{name}</span>}
      {row.action.result === 'failure' && <Badge tone="danger">{resultWords(row)}</Badge>}
    </span>
  );
}

function Who({ row }: { row: AuditRow }) {
  const { who, through } = describeActor(row);
  return (
    <span className="block">
      <span className="wrap-anywhere">{who}</span>
      {through !== undefined && <span className="block text-sm text-muted">{through}</span>}
    </span>
  );
}

interface EndProps {
  count: number;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

/** More of the log, or that there is no more. */
function End({ count, hasMore, isLoading, onMore }: EndProps) {
  const end = useRef<HTMLParagraphElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (!hasMore && wasAsked.current) end.current?.focus();
    wasAsked.current = false;
  }, [hasMore]);
  const load = (): void => {
    wasAsked.current = true;
    onMore();
  };
  return (
    <div className="flex flex-col items-center">
      {hasMore ? (
        <Button isBusy={isLoading} onClick={load}>
          {labels.loadMore}
        </Button>
      ) : (
        <p ref={end} tabIndex={-1} className="text-sm text-muted">
          {count === 1 ? labels.thisIsTheOnlyEntry : labels.noMoreEntries}
        </p>
      )}
    </div>
  );
}
