import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { focusFirstFault } from '../../ui/focus-first-fault.ts';
import type { CallerNames } from '../../api/caller-names.ts';
import {
  FILTER_FIELDS,
  FIRST_FIELD,
  type FilterField,
  type Operator,
  fieldNamed,
  offeredOperators,
} from '../../lib/log-fields.ts';
import { type FilterDraft, draftOf, filterOf, newDraft } from './filter-draft.ts';
import { operatorWords } from './filter-words.ts';
import type { LogFilter } from '../../lib/log-filters.ts';
import { labels } from './labels.ts';
import type { SuggestionSource } from './value-suggestions.ts';
import { ValueField } from './value-field.tsx';

interface FilterDialogProps {
  isOpen: boolean;
  source: SuggestionSource;
  names: CallerNames;
  /** Which is changed; undefined: a new one. */
  filter: LogFilter | undefined;
  /** Whether the API would not take it with the others. */
  isTooMuch: (filter: LogFilter) => boolean;
  onSave: (filter: LogFilter) => void;
  onClose: () => void;
}

/** Makes a filter, or changes one. */
export function FilterDialog(props: FilterDialogProps) {
  const { isOpen, onClose, filter } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={filter === undefined ? labels.addFilter : labels.changeFilter}
      lead={labels.showsOnlyLogsThatMatch}
    >
      <FilterForm {...props} />
    </Dialog>
  );
}

function FilterForm({ source, names, filter, isTooMuch, onSave, onClose }: FilterDialogProps) {
  const [draft, setDraft] = useState(() => (filter === undefined ? newDraft() : draftOf(filter)));
  const [settledKey, setSettledKey] = useState(draft.metadataKey);
  const [fault, setFault] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault !== undefined && form.current !== null) focusFirstFault(form.current);
  }, [fault]);
  const field = fieldNamed(draft.field) ?? FIRST_FIELD;
  const change = (part: Partial<FilterDraft>): void => {
    setFault(undefined);
    setDraft((before) => ({ ...before, ...part }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const made = filterOf(draft);
    if (typeof made === 'string') setFault(made);
    else if (isTooMuch(made)) setFault(labels.tooManyFiltersOrValues);
    else onSave(made);
  };
  const lacksKey = field.name === 'metadata' && draft.metadataKey.trim() === '';
  return (
    <form ref={form} onSubmit={submit} className="space-y-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldSelect field={field} onChoose={(name) => setDraft(newDraft(name))} />
        <OperatorSelect field={field} draft={draft} onChange={change} />
      </div>
      {field.name === 'metadata' && (
        <MetadataKeyField
          value={draft.metadataKey}
          fault={lacksKey ? fault : undefined}
          keys={source.metadataKeys}
          onChange={(metadataKey) => change({ metadataKey })}
          onSettled={() => setSettledKey(draft.metadataKey.trim())}
        />
      )}
      {draft.knowledge === undefined && (
        <ValueField
          // What is typed for one field is nothing for another.
          key={`${field.name}/${draft.operator === 'contains'}`}
          source={source}
          names={names}
          field={field}
          draft={draft}
          metadataKey={settledKey}
          fault={lacksKey ? undefined : fault}
          onChange={change}
        />
      )}
      {draft.knowledge !== undefined && fault !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary">
          {filter === undefined ? labels.addFilter : labels.changeFilter}
        </Button>
      </Actions>
    </form>
  );
}

interface FieldSelectProps {
  field: FilterField;
  onChoose: (name: string) => void;
}

function FieldSelect({ field, onChoose }: FieldSelectProps) {
  const groups = Map.groupBy(FILTER_FIELDS, ({ group }) => group);
  return (
    <Field label={labels.field} hint={field.hint}>
      <Select value={field.name} onChange={(event) => onChoose(event.target.value)}>
        {[...groups].map(([group, fields]) => (
          <optgroup key={group} label={group}>
            {fields.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </Field>
  );
}

interface OperatorSelectProps {
  field: FilterField;
  draft: FilterDraft;
  onChange: (part: Partial<FilterDraft>) => void;
}

function OperatorSelect({ field, draft, onChange }: OperatorSelectProps) {
  const offered = offeredOperators(field);
  // An address may name others.
  const operators = offered.includes(draft.operator) ? offered : [...offered, draft.operator];
  const choose = (value: string): void =>
    value === 'known' || value === 'unknown'
      ? onChange({ knowledge: value })
      : onChange({ knowledge: undefined, operator: value as Operator });
  return (
    <Field label={labels.comparison}>
      <Select
        value={draft.knowledge ?? draft.operator}
        onChange={(event) => choose(event.target.value)}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {operatorWords(operator, field.type)}
          </option>
        ))}
        {field.isNullable === true && (
          <>
            <option value="known">exists</option>
            <option value="unknown">doesn't exist</option>
          </>
        )}
      </Select>
    </Field>
  );
}

interface MetadataKeyFieldProps {
  value: string;
  fault: string | undefined;
  keys: readonly string[];
  onChange: (key: string) => void;
  /** Told when it is typed to its end. */
  onSettled: () => void;
}

function MetadataKeyField({ value, fault, keys, onChange, onSettled }: MetadataKeyFieldProps) {
  const listId = useId();
  return (
    <Field label={labels.key} hint={labels.forExampleTeamKeys} error={fault}>
      <Input
        list={listId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onSettled}
      />
      <datalist id={listId}>
        {keys.map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </datalist>
    </Field>
  );
}
