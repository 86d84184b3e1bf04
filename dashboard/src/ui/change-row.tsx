import { clsx } from 'clsx';
import { ArrowRight } from './icons.tsx';
import type { ReactNode } from 'react';
import type { ChangeKind } from '../lib/json-diff.ts';

const GROUNDS: Readonly<Record<ChangeKind, string>> = {
  added: 'bg-accent-soft',
  removed: 'bg-danger-soft',
  changed: 'bg-info-soft',
  same: '',
};

const SIGNS: Readonly<Record<ChangeKind, readonly [sign: string, words: string]>> = {
  added: ['+', 'Added'],
  removed: ['−', 'Removed'],
  changed: ['~', 'Changed'],
  same: ['', 'Unchanged'],
};

interface ChangeRowProps {
  kind: ChangeKind;
  name: string;
  /** Undefined: there was nothing, or it is not told. */
  before?: ReactNode;
  /** Undefined: there is nothing any more. */
  after?: ReactNode;
}

/** One line of a list of changes: what became of a value. */
export function ChangeRow({ kind, name, before, after }: ChangeRowProps) {
  const [sign, words] = SIGNS[kind];
  return (
    <li
      className={clsx(
        'grid items-baseline gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(8rem,14rem)_1fr]',
        GROUNDS[kind],
      )}
    >
      <span className="flex gap-2">
        <span aria-hidden className="w-3 shrink-0 text-center font-mono text-sm font-semibold">
          {sign}
        </span>
        <span className="sr-only">{words}: </span>
        <bdi className="min-w-0 font-mono text-sm wrap-anywhere">{name}</bdi>
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 max-sm:pl-5">
        {before !== undefined && <del className="min-w-0">{before}</del>}
        {kind === 'changed' && (
          <>
            <ArrowRight aria-hidden className="size-4 shrink-0 self-center" />
            <span className="sr-only"> to </span>
          </>
        )}
        {after !== undefined && <ins className="min-w-0 no-underline">{after}</ins>}
      </span>
    </li>
  );
}
