import { Plus, Trash2 } from '../../../ui/icons.tsx';
import { type FormEvent, useRef, useState } from 'react';
import { Callout } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Check, Fieldset, Select } from '../../../ui/field.tsx';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import { labels } from '../labels.ts';
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
      <Fieldset legend={labels.otherTags}>
        <div className="space-y-2">
          <Check
            type="radio"
            name="bulk-mode"
            label={labels.keep}
            hint={labels.setsOrRemoves}
            checked={draft.mode === 'merge'}
            onChange={() => onDraft({ ...draft, mode: 'merge' })}
          />
          <Check
            type="radio"
            name="bulk-mode"
            label={labels.replaceAllTags}
            hint={labels.everyResourceGetsExactly}
            checked={draft.mode === 'replace'}
            onChange={() => onDraft({ ...draft, mode: 'replace' })}
          />
        </div>
      </Fieldset>
      <BulkRows {...props} faults={faults} isChecked={isChecked} />
      {draft.mode === 'replace' && isNothing && (
        <Callout tone="warning">{labels.withoutTagsInThisList}</Callout>
      )}
      {isChecked && draft.mode === 'merge' && isNothing && (
        <p role="alert" className="text-sm text-danger">
          {labels.addAtLeastOneChange}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary">
          {labels.preview}
        </Button>
      </Actions>
    </form>
  );
}

function FilterWords({ selection }: { selection: BulkSelection & { kind: 'filter' } }) {
  const words = tagParameters(selection.parameters).map(([name, value]) => `${name}=${value}`);
  if (words.length === 0) {
    return <Callout tone="warning">{labels.noFilterIsSet}</Callout>;
  }
  return (
    <ul aria-label={labels.filter} className="flex flex-wrap gap-1.5">
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
      <ul ref={list} aria-label={labels.changes} className="space-y-2">
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
          {labels.addTag}
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
            aria-label={labels.actionForTag(place)}
            value={deed}
            onChange={(event) =>
              onChange({ deed: event.target.value === 'remove' ? 'remove' : 'set' })
            }
            className="mt-1.5 shrink-0 sm:w-32"
          >
            <option value="set">{labels.set}</option>
            <option value="remove">{labels.remove}</option>
          </Select>
        )}
        <div className="min-w-0 sm:flex-2">
          <KeyField
            accountId={accountId}
            label={labels.key(place)}
            value={key}
            error={key !== '' || isChecked ? faults?.key : undefined}
            onChange={(text) => onChange({ key: text })}
          />
        </div>
        <div className="min-w-0 sm:flex-3">
          {deed === 'set' && (
            <ValueField
              accountId={accountId}
              label={key === '' ? labels.value(place) : labels.valueOf(key)}
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
        label={labels.removeFromTheList(key === '' ? `tag ${place}` : key)}
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={onRemove}
        className="mt-2"
      />
    </li>
  );
}
