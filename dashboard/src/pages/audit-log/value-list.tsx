import { clsx } from 'clsx';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { type Change, type ChangeKind, type Leaf, type Scalar } from '../../lib/json-diff.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';

/** What the server writes in the place of a secret. */
export const REDACTED = '[redacted]';

function Value({ value }: { value: Scalar }) {
  if (value === REDACTED) return <Badge>Kept secret</Badge>;
  if (value === null || value === '') {
    return <span className="text-muted italic">{value === null ? 'none' : 'empty'}</span>;
  }
  return <span className="font-mono text-sm wrap-anywhere">{String(value)}</span>;
}

/** The values of something nested, each with its way there. */
export function ValueList({ leaves }: { leaves: readonly Leaf[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {leaves.map(({ path, value }, index) => (
        <div key={index} className={ROW}>
          <dt className={PATH}>{path}</dt>
          <dd className="min-w-0">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ROW = 'grid items-baseline gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(8rem,14rem)_1fr]';
const PATH = 'font-mono text-sm text-muted wrap-anywhere';

/** What became of each value; what stayed as it was is folded. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const changed = changes.filter(({ kind }) => kind !== 'same');
  const same = changes.length - changed.length;
  const shown = isUnfolded ? changes : changed;
  return (
    <div className="space-y-2">
      {changed.length === 0 && (
        <p className="text-muted">Nothing that the log keeps is different.</p>
      )}
      {shown.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
          {shown.map((change, index) => (
            <ChangeRow key={index} change={change} />
          ))}
        </ul>
      )}
      {same > 0 && (
        <Button
          isSmall
          look="quiet"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Hide what is unchanged' : `Show ${same} unchanged`}
        </Button>
      )}
    </div>
  );
}

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

function ChangeRow({ change }: { change: Change }) {
  const { path, kind, before, after } = change;
  const [sign, words] = SIGNS[kind];
  return (
    <li className={clsx(ROW, GROUNDS[kind])}>
      <span className="flex gap-2">
        <span aria-hidden className="w-3 shrink-0 text-center font-mono text-sm font-semibold">
          {sign}
        </span>
        <span className="sr-only">{words}: </span>
        <span className="min-w-0 font-mono text-sm wrap-anywhere">{path}</span>
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 max-sm:pl-5">
        {before !== undefined && kind !== 'same' && (
          <del className="min-w-0">
            <Value value={before} />
          </del>
        )}
        {kind === 'changed' && (
          <>
            <ArrowRight aria-hidden className="size-4 shrink-0 self-center" />
            <span className="sr-only"> to </span>
          </>
        )}
        {after !== undefined && (
          <ins className="min-w-0 no-underline">
            <Value value={after} />
          </ins>
        )}
      </span>
    </li>
  );
}
