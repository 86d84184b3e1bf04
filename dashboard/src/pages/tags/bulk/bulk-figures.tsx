import { clsx } from 'clsx';
import { formatCount } from '../../../lib/figures.ts';
import { labels } from '../labels.ts';
import type { BulkTally } from './bulk-parts.ts';

interface BulkFiguresProps {
  tally: BulkTally;
  /** Whether it has happened, or only would. */
  isDone: boolean;
}

/** How many resources change, how many not, and how many cannot. */
export function BulkFigures({ tally, isDone }: BulkFiguresProps) {
  const { changed, unchanged, failures } = tally;
  const figures = [
    { name: isDone ? labels.changed : labels.willChange, count: changed, tone: 'text-accent' },
    { name: labels.noChangeNeeded, count: unchanged, tone: '' },
    {
      name: isDone ? labels.failed : labels.cantBeChanged,
      count: failures.length,
      tone: failures.length > 0 ? 'text-danger' : '',
    },
  ];
  return (
    <dl className="grid grid-cols-3 divide-x divide-line rounded-lg border border-line">
      {figures.map(({ name, count, tone }) => (
        <div key={name} className="min-w-0 px-3 py-2.5 sm:px-4">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className={clsx('text-xl font-semibold tabular-nums', tone)}>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
