import { useState } from 'react';
import type { ChangeKind } from '../../../lib/json-diff.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChangeRow } from '../../../ui/change-row.tsx';
import { labels } from '../labels.ts';
import { type Past, UNKNOWN } from './tag-history.ts';

/** What became of one tag, as far as it is known. */
interface Diff {
  key: string;
  before: Past;
  after: Past;
}

interface TagDiffProps {
  /** What the list is: "Changes that are saved". */
  label: string;
  changes: readonly Diff[];
}

const SHOWN = 20;

/** What becomes of tags, one per line. */
export function TagDiff({ label, changes }: TagDiffProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const shown = isUnfolded ? changes : changes.slice(0, SHOWN);
  const hidden = changes.length - shown.length;
  return (
    <div className="space-y-2">
      <ul
        aria-label={label}
        className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface text-text"
      >
        {shown.map((change) => (
          <DiffRow key={change.key} change={change} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button isSmall look="quiet" onClick={() => setIsUnfolded(true)}>
          {labels.showMoreChanges(hidden.toLocaleString('en'))}
        </Button>
      )}
    </div>
  );
}

function kindOf({ before, after }: Diff): ChangeKind {
  if (after === undefined) return 'removed';
  // Whether it was there before is not known: it is now.
  return before === undefined || before === UNKNOWN ? 'added' : 'changed';
}

function DiffRow({ change }: { change: Diff }) {
  const { key, before, after } = change;
  const isBeforeShown = before !== undefined && before !== UNKNOWN;
  return (
    <ChangeRow
      kind={kindOf(change)}
      name={key}
      before={isBeforeShown ? <TagValue value={before} /> : undefined}
      after={after === undefined ? undefined : <TagValue value={after} />}
    />
  );
}

const LONG_CHARACTERS = 200;

/** The value of a tag, which may be long, empty, or not known. */
export function TagValue({ value }: { value: Past }) {
  const [isWhole, setIsWhole] = useState(false);
  if (value === UNKNOWN) return <Badge>{labels.notInTheLog}</Badge>;
  if (value === undefined) return <span className="text-muted italic">none</span>;
  if (value === '') return <span className="text-muted italic">empty</span>;
  const isLong = value.length > LONG_CHARACTERS;
  return (
    <>
      <bdi className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {isLong && !isWhole ? `${value.slice(0, LONG_CHARACTERS).toWellFormed()}…` : value}
      </bdi>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="ml-2 min-h-6 text-sm text-muted underline hover:text-text"
        >
          {isWhole ? labels.showLess : labels.showAllChanges}
        </button>
      )}
    </>
  );
}
