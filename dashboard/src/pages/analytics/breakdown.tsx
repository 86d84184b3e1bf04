import { Link } from '@tanstack/react-router';
import { Download } from '../../ui/icons.tsx';
import type { Analytics, Figures } from '../../api/analytics.ts';
import { download } from '../../lib/download.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatShare,
  formatShort,
} from '../../lib/figures.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { SortKey } from './analytics-search.ts';
import { breakdownCsv } from './breakdown-csv.ts';
import { wordsOf } from './group-words.ts';
import { labels } from './labels.ts';
import type { LimitLink } from './limit-link.ts';
import type { LogsLink } from './logs-link.ts';
import { ShareBar } from './share-bar.tsx';

type Group = Analytics['groups'][number];

interface Row {
  id: string;
  name: string;
  value: string | null;
  isOther: boolean;
  totals: Figures;
}

interface BreakdownProps {
  /** The figures by group. */
  analytics: Analytics;
  nameOf: (value: string | null) => string;
  sort: SortKey;
  onSort: (sort: SortKey) => void;
  /** Where the logs of a group are; undefined: there is no page that has them. */
  logsOf: (value: string | null) => LogsLink | undefined;
  /** Where a spend limit for a group is set; undefined: no rule can select it, or the person may not. */
  limitOf: (value: string | null) => LimitLink | undefined;
}

/** The groups that have the most, and what they have. */
export function Breakdown({ analytics, nameOf, sort, onSort, logsOf, limitOf }: BreakdownProps) {
  const { group_by: by, totals } = analytics;
  const rows = rowsOf(analytics.groups, nameOf, sort);
  const { label, one } = wordsOf(by);
  const title = labels.by(one);
  return (
    <Card
      title={<bdi>{title}</bdi>}
      lead={leadOf(rows)}
      isFlush
      actions={
        <Button
          isSmall
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download(`analytics-by-${fileName(by)}.csv`, 'text/csv', csvOf(rows))}
        >
          {labels.downloadCsv}
        </Button>
      }
    >
      <div className="px-5 pb-2 md:hidden">
        <Field label={labels.order}>
          <Select value={sort} onChange={(event) => onSort(event.target.value as SortKey)}>
            {SORTS.map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="md:overflow-x-auto">
        <Table
          caption={title}
          columns={columnsOf({ title: label, totals, rows, sort, onSort, logsOf, limitOf })}
          rows={rows}
          keyOf={({ id }) => id}
        />
      </div>
    </Card>
  );
}

const SORTS: readonly [SortKey, string][] = [
  ['requests', labels.mostRequestsFirst],
  ['errors', labels.mostErrorsFirst],
  ['cost', labels.mostExpensiveFirst],
  ['tokens', labels.mostTokensFirst],
  ['duration', labels.slowestFirst],
];

function rowsOf(groups: readonly Group[], nameOf: BreakdownProps['nameOf'], sort: SortKey): Row[] {
  const rows = groups.map(({ value, is_other: isOther, totals }): Row => ({
    id: isOther ? 'others' : idOf(value),
    name: isOther ? labels.allOthers : nameOf(value),
    value,
    isOther,
    totals,
  }));
  // The others are last, whatever they have: they are many.
  return rows.toSorted(
    (one, other) =>
      Number(one.isOther) - Number(other.isOther) ||
      amountOf(other.totals, sort) - amountOf(one.totals, sort),
  );
}

function idOf(value: string | null): string {
  return value === null ? 'none' : `value ${value}`;
}

function amountOf(totals: Figures, sort: SortKey): number {
  if (sort === 'tokens') return totals.tokens_in + totals.tokens_out;
  return sort === 'duration' ? (totals.duration?.p95 ?? 0) : totals[sort];
}

function leadOf(rows: readonly Row[]): string | undefined {
  const shown = rows.filter(({ isOther }) => !isOther).length;
  return shown === rows.length ? undefined : labels.firstTheLastRowSums(shown);
}

function csvOf(rows: readonly Row[]): string {
  return breakdownCsv(
    rows.map(({ name, value, totals }) => ({ name, value: value ?? '', totals })),
  );
}

/** What nobody wants in the name of a file is a line. */
function fileName(by: string): string {
  return by.replaceAll(/[^\w.-]/g, '-').slice(0, 80);
}

interface ColumnsOptions extends Pick<BreakdownProps, 'sort' | 'onSort' | 'logsOf' | 'limitOf'> {
  title: string;
  totals: Figures;
  rows: readonly Row[];
}

function columnsOf({
  title,
  totals,
  rows,
  sort,
  onSort,
  logsOf,
  limitOf,
}: ColumnsOptions): Column<Row>[] {
  const most = Math.max(...rows.map((row) => amountOf(row.totals, sort)));
  const sortable = (key: SortKey) => ({
    isAtEnd: true,
    sort: { isSorted: sort === key, onSort: () => onSort(key) },
  });
  return [
    {
      title,
      cell: (row) => (
        <Name row={row} link={row.isOther ? undefined : logsOf(row.value)}>
          <ShareBar
            share={most === 0 ? 0 : amountOf(row.totals, sort) / most}
            isRest={row.isOther}
          />
        </Name>
      ),
    },
    {
      ...sortable('requests'),
      title: labels.requestsTitle,
      cell: ({ totals: own }) => (
        <Figure
          value={formatCount(own.requests)}
          note={formatShare(own.requests, totals.requests)}
        />
      ),
    },
    {
      ...sortable('errors'),
      title: labels.errors,
      cell: ({ totals: own }) => (
        <Figure value={formatCount(own.errors)} note={formatShare(own.errors, own.requests)} />
      ),
    },
    {
      ...sortable('cost'),
      title: labels.cost,
      cell: ({ totals: own, isOther, value, name }) => (
        <>
          <Figure value={costWords(own)} note={formatShare(own.cost, totals.cost)} />
          <LimitAction name={name} link={isOther ? undefined : limitOf(value)} />
        </>
      ),
    },
    ...columnsOfTokens(sortable),
  ];
}

type Sortable = (key: SortKey) => Pick<Column<Row>, 'isAtEnd' | 'sort'>;

function columnsOfTokens(sortable: Sortable): Column<Row>[] {
  return [
    {
      ...sortable('tokens'),
      title: labels.tokens,
      cell: ({ totals: own }) => (
        <Figure
          value={formatShort(own.tokens_in + own.tokens_out)}
          note={labels.inOut(formatShort(own.tokens_in), formatShort(own.tokens_out))}
        />
      ),
    },
    {
      ...sortable('duration'),
      title: labels.durationP95,
      cell: ({ totals: { duration } }) => <Times times={duration} />,
    },
    {
      title: labels.firstTokenP95,
      isAtEnd: true,
      cell: ({ totals: { ttft } }) => <Times times={ttft} />,
    },
  ];
}

function costWords({ cost, requests_without_cost: unpriced }: Figures): string {
  return cost === 0 && unpriced > 0 ? 'unknown' : formatCost(cost);
}

function Figure({ value, note }: { value: string; note: string }) {
  return (
    <span className="tabular-nums md:block md:whitespace-nowrap">
      {value}{' '}
      <span className="text-sm text-muted md:block">
        <span aria-hidden className="md:hidden">
          ·{' '}
        </span>
        {note}
      </span>
    </span>
  );
}

function LimitAction({ name, link }: { name: string; link: LimitLink | undefined }) {
  if (link === undefined) return null;
  return (
    <Link
      {...link}
      aria-label={labels.setALimitFor(name)}
      className="text-sm underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {labels.setALimit}
    </Link>
  );
}

function Times({ times }: { times: Figures['duration'] }) {
  if (times === null) return <span className="text-muted">–</span>;
  return <Figure value={formatDuration(times.p95)} note={`median ${formatDuration(times.p50)}`} />;
}

interface NameProps {
  row: Row;
  link: LogsLink | undefined;
  children: React.ReactNode;
}

function Name({ row: { name, value }, link, children }: NameProps) {
  const text = (
    <bdi
      title={value === null || value === name ? name : `${name} (${value})`}
      className="line-clamp-2"
    >
      {name}
    </bdi>
  );
  return (
    <span className="block space-y-1.5">
      {link === undefined ? (
        text
      ) : (
        <Link
          {...link}
          className="block underline decoration-line underline-offset-4 hover:decoration-current"
        >
          {text}
        </Link>
      )}
      {children}
    </span>
  );
}
