import { clsx } from 'clsx';
import { Trash2, Undo2 } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import type { DraftRow, RowFaults } from './tag-draft.ts';
import { isTouched } from './tag-draft.ts';
import { TagValue } from './tag-diff.tsx';
import { KeyField, ValueField } from './tag-fields.tsx';

interface TagRowProps {
  accountId: string;
  row: DraftRow;
  /** Counts from 1. */
  place: number;
  faults: RowFaults | undefined;
  /** Whether also what was not written yet counts as a fault. */
  isChecked: boolean;
  onWrite: (part: 'key' | 'value', text: string) => void;
  onToggle: () => void;
}

/** One tag that can be changed or taken away. */
export function TagRow(props: TagRowProps) {
  const { row, place, onToggle } = props;
  const { key, value, isRemoved } = row;
  return (
    <li
      className={clsx(
        'grid grid-cols-[1fr_auto] items-start gap-x-2 gap-y-2 border-l-3 pr-2 pl-2.25 sm:grid-cols-[minmax(7rem,2fr)_minmax(0,3fr)_auto]',
        borderOf(row),
      )}
    >
      {isRemoved ? (
        <p className="min-w-0 self-center py-2 text-muted sm:col-span-2">
          <del>
            <bdi className="font-mono text-sm wrap-anywhere">{key}</bdi> <TagValue value={value} />
          </del>
          <span className="sr-only"> will be removed</span>
        </p>
      ) : (
        <RowFields {...props} />
      )}
      <IconButton
        label={
          isRemoved ? labels.keepKey(key) : labels.removeKey(key === '' ? `tag ${place}` : key)
        }
        icon={
          isRemoved ? (
            <Undo2 aria-hidden className="size-4" />
          ) : (
            <Trash2 aria-hidden className="size-4" />
          )
        }
        onClick={onToggle}
        className={isRemoved ? 'self-center' : 'mt-2'}
      />
    </li>
  );
}

function RowFields({ accountId, row, place, faults, isChecked, onWrite }: TagRowProps) {
  // Nobody is told of a missing key while still on the way to it.
  const [wasLeft, setWasLeft] = useState(false);
  const { key, value, stored, isLong } = row;
  const isStarted = key !== '' || wasLeft || isChecked;
  const wasValue = stored?.key === key && stored.value !== value ? stored.value : undefined;
  return (
    <>
      <KeyField
        accountId={accountId}
        label={labels.key(place)}
        value={key}
        error={isStarted ? faults?.key : undefined}
        onChange={(text) => onWrite('key', text)}
        onLeave={() => setWasLeft(true)}
      />
      <div className="max-sm:col-span-2 max-sm:row-start-2">
        <ValueField
          accountId={accountId}
          label={key === '' ? labels.value(place) : labels.valueOf(key)}
          tagKey={key}
          value={value}
          isLong={isLong}
          error={faults?.value}
          hint={wasValue === undefined ? undefined : <Was value={wasValue} />}
          onChange={(text) => onWrite('value', text)}
        />
      </div>
    </>
  );
}

function Was({ value }: { value: string }) {
  return (
    <>
      Was <TagValue value={value} />
    </>
  );
}

function borderOf(row: DraftRow): string {
  if (row.isRemoved) return 'border-danger bg-danger-soft';
  if (!isTouched(row)) return 'border-transparent';
  return row.stored === undefined ? 'border-accent' : 'border-info';
}
