import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Callout } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Check, Fieldset, Select } from '../../../ui/field.tsx';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import type { RowFaults } from '../resource/tag-draft.ts';
import { KeyField, ValueField } from '../resource/tag-fields.tsx';
import {
  type BulkDraft,
  type BulkRow,
  MOST_ROWS,
  bulkFaults,
  countingRows,
  newBulkRow,
  writtenRow,
} from './bulk-draft.ts';
import type { BulkSelection } from './bulk-parts.ts';
import { tagParameters } from '../../../lib/tag-query.ts';

interface BulkFormProps {
  accountId: string;
  selection: BulkSelection;
  draft: BulkDraft;
  onDraft: (draft: BulkDraft) => void;
  onClose: () => void;
  onPreview: () => void;
}

/** What is to be done with the tags of many resources. */
export function BulkForm(props: BulkFormProps) {
  const { selection, draft, onDraft, onClose, onPreview } = props;
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = bulkFaults(draft);
  const isNothing = countingRows(draft).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsChecked(true);
    if (faults.size > 0) setTimeout(() => focusFirstFault(form.current));
    else if (!isNothing || draft.mode === 'replace') onPreview();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="space-y-5">
      {selection.kind === 'filter' && <FilterWords selection={selection} />}
      <Fieldset legend="What happens to other tags">
        <div className="space-y-2">
          <Check
            type="radio"
            name="bulk-mode"
            label="They stay"
            hint="Only the keys below are set or removed."
            checked={draft.mode === 'merge'}
            onChange={() => onDraft({ ...draft, mode: 'merge' })}
          />
          <Check
            type="radio"
            name="bulk-mode"
            label="They go: replace all tags"
            hint="Every resource has the tags below afterwards, and no others."
            checked={draft.mode === 'replace'}
            onChange={() => onDraft({ ...draft, mode: 'replace' })}
          />
        </div>
      </Fieldset>
      <BulkRows {...props} faults={faults} isChecked={isChecked} />
      {draft.mode === 'replace' && isNothing && (
        <Callout tone="warning">
          Without a tag here, all tags of these resources are removed.
        </Callout>
      )}
      {isChecked && draft.mode === 'merge' && isNothing && (
        <p role="alert" className="text-sm text-danger">
          Say what is to be set or removed.
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary">
          Preview
        </Button>
      </Actions>
    </form>
  );
}

function FilterWords({ selection }: { selection: BulkSelection & { kind: 'filter' } }) {
  const words = tagParameters(selection.parameters).map(([name, value]) => `${name}=${value}`);
  if (words.length === 0) {
    return (
      <Callout tone="warning">
        There is no filter, so this is about every tagged resource of the account.
      </Callout>
    );
  }
  return (
    <ul aria-label="Filter" className="flex flex-wrap gap-1.5">
      {words.map((word) => (
        <li
          key={word}
          className="max-w-full rounded-md border border-line bg-sunken px-2 py-0.5 font-mono text-sm"
        >
          <bdi className="wrap-anywhere">{word}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface BulkRowsProps extends BulkFormProps {
  faults: ReadonlyMap<number, RowFaults>;
  isChecked: boolean;
}

function BulkRows({ accountId, draft, onDraft, faults, isChecked }: BulkRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { mode, rows } = draft;
  const set = (next: readonly BulkRow[]): void => onDraft({ ...draft, rows: next });
  // Once React has drawn the rows anew.
  const focusLast = (): void => {
    setTimeout(() =>
      list.current?.querySelector<HTMLElement>('li:last-child :is(select, input)')?.focus(),
    );
  };
  const shown = mode === 'replace' ? rows.filter(({ deed }) => deed === 'set') : rows;
  return (
    <div className="space-y-2">
      <ul ref={list} aria-label="Changes" className="space-y-2">
        {shown.map((row, index) => (
          <Row
            key={row.id}
            accountId={accountId}
            row={row}
            place={index + 1}
            hasDeed={mode === 'merge'}
            faults={faults.get(row.id)}
            isChecked={isChecked}
            onChange={(change) =>
              set(rows.map((other) => (other.id === row.id ? writtenRow(row, change) : other)))
            }
            onRemove={() => {
              set(rows.filter(({ id }) => id !== row.id));
              focusLast();
            }}
          />
        ))}
      </ul>
      {rows.length < MOST_ROWS && (
        <Button
          isSmall
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => {
            set([...rows, newBulkRow()]);
            focusLast();
          }}
        >
          Add tag
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  accountId: string;
  row: BulkRow;
  /** Counts from 1. */
  place: number;
  hasDeed: boolean;
  faults: RowFaults | undefined;
  isChecked: boolean;
  onChange: (change: Partial<BulkRow>) => void;
  onRemove: () => void;
}

function Row(props: RowProps) {
  const { accountId, row, place, hasDeed, faults, isChecked, onChange, onRemove } = props;
  const { deed, key, value, isLong } = row;
  return (
    <li className="flex items-start gap-2">
      <div className="flex min-w-0 flex-1 flex-col gap-2 sm:flex-row">
        {hasDeed && (
          <Select
            aria-label={`What to do with tag ${place}`}
            value={deed}
            onChange={(event) =>
              onChange({ deed: event.target.value === 'remove' ? 'remove' : 'set' })
            }
            className="mt-1.5 shrink-0 sm:w-32"
          >
            <option value="set">Set</option>
            <option value="remove">Remove</option>
          </Select>
        )}
        <div className="min-w-0 sm:flex-2">
          <KeyField
            accountId={accountId}
            label={`Key ${place}`}
            value={key}
            error={key !== '' || isChecked ? faults?.key : undefined}
            onChange={(text) => onChange({ key: text })}
          />
        </div>
        <div className="min-w-0 sm:flex-3">
          {deed === 'set' && (
            <ValueField
              accountId={accountId}
              label={key === '' ? `Value ${place}` : `Value of ${key}`}
              tagKey={key}
              value={value}
              isLong={isLong}
              error={faults?.value}
              onChange={(text) => onChange({ value: text })}
            />
          )}
        </div>
      </div>
      <IconButton
        label={`Take ${key === '' ? `tag ${place}` : key} off the list`}
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={onRemove}
        className="mt-2"
      />
    </li>
  );
}
