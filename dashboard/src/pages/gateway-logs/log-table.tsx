import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from '../../ui/icons.tsx';
import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import type { Log } from '../../api/gateway-logs.ts';
import type { LogOrder, OrderKey } from '../../lib/log-query.ts';
import type { CallerNames } from '../../api/caller-names.ts';
import { labels } from './labels.ts';
import { orderAfterClick } from './log-order.ts';
import { COLUMNS, type LogColumn, LogCells } from './log-cells.tsx';

interface LogTableProps {
  logs: readonly Log[];
  names: CallerNames;
  order: LogOrder;
  onOrder: (order: LogOrder) => void;
  /** Id of the log that is open. */
  open: string | undefined;
  onOpen: (id: string) => void;
  /** The address that shows a log. */
  hrefOf: (id: string) => string;
  /** Ids of those that have just come. */
  fresh: ReadonlySet<string>;
}

/** Logs, a line each; on a narrow screen a block each. `j` and `k` or the arrows go from one to the next. */
export function LogTable({
  logs,
  names,
  order,
  onOrder,
  open,
  onOpen,
  hrefOf,
  fresh,
}: LogTableProps) {
  const openRow = (event: MouseEvent): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    const id = linkOf(event.target)?.dataset.log;
    if (!isPlain || event.altKey || id === undefined) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <table role="table" className="block w-full text-sm md:table md:table-fixed">
      <caption className="sr-only">{labels.logsOfTheGateway}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-line bg-sunken text-left text-muted">
          {COLUMNS.map((column) => (
            <Head key={column.title} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      {/* The links in it are what is clicked; it hears of it once for all of them. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- links are clicked by Enter, too */}
      <tbody
        role="rowgroup"
        className="block divide-y divide-line md:table-row-group"
        onClick={openRow}
        onKeyDown={step}
      >
        {logs.map((log) => (
          <Row
            key={log.id}
            log={log}
            names={names}
            href={hrefOf(log.id)}
            isOpen={log.id === open}
            isFresh={fresh.has(log.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  log: Log;
  names: CallerNames;
  href: string;
  isOpen: boolean;
  isFresh: boolean;
}

/** By itself, so that hundreds of them are not made again for each one that comes. */
const Row = memo(function Row({ log, names, href, isOpen, isFresh }: RowProps) {
  return (
    <tr
      role="row"
      aria-current={isOpen || undefined}
      className={clsx(
        'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 hover:bg-hover md:table-row md:h-9 md:p-0',
        isOpen ? 'bg-accent-soft' : isFresh && 'fresh-row',
      )}
    >
      <LogCells log={log} names={names} href={href} />
    </tr>
  );
});

interface HeadProps {
  column: LogColumn;
  order: LogOrder;
  onOrder: (order: LogOrder) => void;
}

function Head({
  column: { title, brief = title, sortedBy, className, isNumber },
  order,
  onOrder,
}: HeadProps) {
  const isSorted = sortedBy !== undefined && order.by === sortedBy;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? (order.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={clsx(
        'px-2 py-1.5 font-medium whitespace-nowrap first:pl-4 last:pr-4',
        isNumber === true && 'text-right',
        className,
      )}
    >
      {sortedBy === undefined ? (
        title
      ) : (
        <SortButton
          title={title}
          brief={brief}
          by={sortedBy}
          isSorted={isSorted}
          order={order}
          onOrder={onOrder}
        />
      )}
    </th>
  );
}

interface SortButtonProps extends Pick<HeadProps, 'order' | 'onOrder'> {
  title: string;
  brief: string;
  by: OrderKey;
  isSorted: boolean;
}

function SortButton({ title, brief, by, isSorted, order, onOrder }: SortButtonProps) {
  const Arrow = order.direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      aria-label={brief === title ? undefined : title}
      onClick={() => onOrder(orderAfterClick(order, by))}
      className={clsx(
        '-mx-1 inline-flex min-h-6 items-center gap-1 rounded px-1 font-medium hover:text-text',
        isSorted && 'text-text',
      )}
    >
      {brief}
      {isSorted && <Arrow aria-hidden className="size-3.5" />}
    </button>
  );
}

function linkOf(target: EventTarget): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest('a[data-log]') : null;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** From the log that has the focus to the one beside it. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const { [event.key]: by } = STEPS;
  const link = linkOf(event.target);
  if (by === undefined || link === null || event.metaKey || event.ctrlKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-log]')];
  const next = links[links.indexOf(link) + by];
  event.preventDefault();
  next?.focus();
}
