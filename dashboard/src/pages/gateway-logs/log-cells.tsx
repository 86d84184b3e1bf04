import { clsx } from 'clsx';
import { ThumbsDown, ThumbsUp, Zap } from '../../ui/icons.tsx';
import type { ReactNode } from 'react';
import type { Log } from '../../api/gateway-logs.ts';
import type { OrderKey } from '../../lib/log-query.ts';
import { formatCost, formatCount, formatDuration } from '../../lib/figures.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { labels } from './labels.ts';
import { callerOf } from './log-callers.ts';
import type { CallerNames } from '../../api/caller-names.ts';

/** A column of the list. */
export interface LogColumn {
  title: string;
  /** What is seen of the title, beside that of the column before. */
  brief?: string;
  sortedBy?: OrderKey;
  isNumber?: boolean;
  /** Its width, and from which width of the screen on it is there. */
  className: string;
}

/** The columns, in the order of {@link LogCells}. */
export const COLUMNS: readonly LogColumn[] = [
  { title: labels.time, sortedBy: 'created_at', className: 'w-34' },
  { title: labels.status, sortedBy: 'success', className: 'w-18' },
  { title: labels.model, sortedBy: 'model', className: '' },
  { title: labels.tokensIn, sortedBy: 'tokens_in', isNumber: true, className: 'w-22' },
  {
    title: labels.tokensOut,
    brief: 'out',
    sortedBy: 'tokens_out',
    isNumber: true,
    className: 'w-16',
  },
  { title: labels.cost, sortedBy: 'cost', isNumber: true, className: 'w-25' },
  { title: labels.duration, sortedBy: 'duration', isNumber: true, className: 'w-24' },
  { title: labels.firstToken, isNumber: true, className: 'hidden 2xl:table-cell w-24' },
  { title: labels.client, className: 'hidden xl:table-cell w-40' },
];

interface LogCellsProps {
  log: Log;
  names: CallerNames;
  href: string;
}

/** What a line tells of a log. On a narrow screen it is three lines of two. */
export function LogCells({ log, names, href }: LogCellsProps) {
  const caller = callerOf(log, names);
  return (
    <>
      <th
        role="rowheader"
        scope="row"
        className="order-3 text-left font-normal whitespace-nowrap md:px-2 md:pl-4"
      >
        <a
          href={href}
          data-log={log.id}
          // The whole line is the link.
          className="text-muted tabular-nums after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent md:text-text"
        >
          <LogTime value={log.created_at} />
        </a>
      </th>
      <Cell className="order-2 justify-self-end">
        <Status log={log} />
      </Cell>
      <Cell className="order-1 min-w-0">
        <Model log={log} />
      </Cell>
      <Figure className="order-5 max-md:text-left">
        {log.tokens_in === null ? NONE : formatCount(log.tokens_in)}
        <span className="md:hidden">
          {' '}
          in, {log.tokens_out === null ? NONE : formatCount(log.tokens_out)} out
        </span>
      </Figure>
      <Figure className="hidden">
        {log.tokens_out === null ? NONE : formatCount(log.tokens_out)}
      </Figure>
      <Figure className="order-6">{log.cost === undefined ? NONE : formatCost(log.cost)}</Figure>
      <Figure className="order-4">{formatDuration(log.duration)}</Figure>
      <td role="cell" className="hidden px-2 text-right text-muted tabular-nums 2xl:table-cell">
        {log.ttft === null ? NONE : formatDuration(log.ttft)}
      </td>
      <td role="cell" className="hidden truncate px-2 pr-4 xl:table-cell">
        {caller === undefined ? NONE : <bdi title={caller.detail}>{caller.name}</bdi>}
      </td>
    </>
  );
}

/** Where nothing is known. */
const NONE = (
  <span className="text-muted">
    <span aria-hidden>–</span>
    <span className="sr-only">unknown</span>
  </span>
);

interface CellProps {
  className: string;
  children: ReactNode;
}

function Cell({ className, children }: CellProps) {
  return (
    <td role="cell" className={clsx('md:table-cell md:px-2', className)}>
      {children}
    </td>
  );
}

function Figure({ className, children }: CellProps) {
  return (
    <td
      role="cell"
      className={clsx(
        'text-right whitespace-nowrap text-muted tabular-nums md:table-cell md:px-2 md:text-text',
        className,
      )}
    >
      {children}
    </td>
  );
}

function Model({ log: { model, provider, cached, feedback } }: Pick<LogCellsProps, 'log'>) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <bdi title={model} className="max-w-[calc(100%-2.5rem)] shrink-0 truncate font-medium">
        {model === '' ? NONE : model}
      </bdi>
      <bdi title={provider} className="min-w-0 truncate text-muted">
        {provider}
      </bdi>
      {cached && (
        <span title={labels.fromTheCache} className="shrink-0 text-info">
          <Zap aria-hidden className="size-3.5" />
          <span className="sr-only">{labels.fromTheCache}</span>
        </span>
      )}
      {feedback !== null && feedback !== 0 && <Feedback isGood={feedback > 0} />}
    </span>
  );
}

function Feedback({ isGood }: { isGood: boolean }) {
  const Icon = isGood ? ThumbsUp : ThumbsDown;
  const words = isGood ? labels.goodFeedback : labels.badFeedback;
  return (
    <span title={words} className={clsx('shrink-0', isGood ? 'text-accent' : 'text-danger')}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{words}</span>
    </span>
  );
}

const CLIENT_ERROR = 400;
const CLIENT_GONE = 499;
const SERVER_ERROR = 500;

/** How an exchange ended. */
export function statusTone({
  success,
  status_code: status,
}: Pick<Log, 'success' | 'status_code'>): Tone {
  if (status === CLIENT_GONE) return 'neutral';
  if (status >= SERVER_ERROR) return 'danger';
  if (status >= CLIENT_ERROR) return 'warning';
  return success ? 'good' : 'danger';
}

function Status({ log }: Pick<LogCellsProps, 'log'>) {
  const { success, status_code: status } = log;
  const words =
    status === CLIENT_GONE
      ? labels.theClientDisconnected
      : success
        ? labels.succeeded
        : labels.failed;
  return (
    <span title={words}>
      {/* Where nearly all have succeeded, those that have not are what is looked for. */}
      <Badge tone={success ? 'neutral' : statusTone(log)}>
        {status}
        <span className="sr-only">{words}</span>
      </Badge>
    </span>
  );
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'long',
});

/** The second of a log, in the person's own time zone: those of a page are seconds apart. */
function LogTime({ value }: { value: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={`${exact.format(date)} · ${value}`}>
      {day.format(date)} {clock.format(date)}
    </time>
  );
}
