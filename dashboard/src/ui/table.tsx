import { clsx } from 'clsx';
import { ArrowDown } from './icons.tsx';
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Also the label of the value on small screens. */
  title: string;
  /** Hides the title from sight: a column of buttons. */
  isTitleHidden?: boolean;
  /** At the right edge: numbers and buttons. */
  isAtEnd?: boolean;
  /** Of a column by which the rows can be put in order, the greatest first. */
  sort?: { isSorted: boolean; onSort: () => void };
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/**
 * A list of alike things. On a narrow screen each row becomes a block with a line for each value; roles
 * are given in words, since a table that is shown as blocks is none for some screen readers.
 */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table role="table" className="block w-full text-[0.9375rem] md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-line text-left text-sm text-muted">
          {columns.map(({ title, isTitleHidden, isAtEnd, sort }) => (
            <th
              key={title}
              role="columnheader"
              scope="col"
              aria-sort={sort?.isSorted === true ? 'descending' : undefined}
              className={clsx(
                'px-3 py-2.5 font-medium whitespace-nowrap first:pl-5 last:pr-5',
                isAtEnd === true && 'text-right',
              )}
            >
              {isTitleHidden === true && <span className="sr-only">{title}</span>}
              {isTitleHidden !== true &&
                (sort === undefined ? title : <SortButton title={title} {...sort} />)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block divide-y divide-line md:table-row-group">
        {rows.map((row) => (
          <tr role="row" key={keyOf(row)} className="relative block px-5 py-3 md:table-row md:p-0">
            {columns.map((column, index) => (
              <Cell key={column.title} column={column} row={row} isName={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortButton({
  title,
  isSorted,
  onSort,
}: { title: string } & NonNullable<Column<unknown>['sort']>) {
  return (
    <button
      type="button"
      onClick={onSort}
      className={clsx(
        // The arrow takes no room: the title stands above the end of its numbers.
        'relative -my-1 inline-flex min-h-6 items-center rounded-sm hover:text-text',
        isSorted && 'text-text',
      )}
    >
      {title}
      {isSorted && <ArrowDown aria-hidden className="absolute -left-4 size-3.5" />}
    </button>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  /** Of the row: on a narrow screen it stands above the others, without a label. */
  isName: boolean;
}

function Cell<Row>({ column, row, isName }: CellProps<Row>) {
  const { title, isTitleHidden, isAtEnd, cell } = column;
  // A screen reader says the name again with each of the other values.
  const Tag = isName ? 'th' : 'td';
  return (
    <Tag
      role={isName ? 'rowheader' : 'cell'}
      scope={isName ? 'row' : undefined}
      className={clsx(
        'text-left gap-4 py-1 wrap-anywhere md:table-cell md:px-3 md:py-3 md:align-middle md:first:pl-5 md:last:pr-5',
        isName
          ? 'block pr-10 font-medium md:min-w-44 md:font-normal'
          : 'flex items-baseline md:wrap-break-word',
        isAtEnd === true && 'md:text-right',
        // A column of buttons sits in the corner of the block.
        isTitleHidden === true && 'absolute top-2 right-4 md:static md:right-auto',
      )}
    >
      {!isName && isTitleHidden !== true && (
        <span aria-hidden className="w-28 shrink-0 text-sm text-muted md:hidden">
          {title}
        </span>
      )}
      <span className="min-w-0">{cell(row)}</span>
    </Tag>
  );
}
