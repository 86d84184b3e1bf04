import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { tagKeysQuery } from '../../../api/tags.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import { labels } from '../labels.ts';
import { wordsOfFilter } from './filter-words.ts';
import { type TagFilter, faultOfKey, faultOfValues } from './tag-filter.ts';
import { ValuesField } from './values-field.tsx';
import { Words } from './words.tsx';

interface ConditionFormProps {
  accountId: string;
  /** The condition that is changed; undefined: a new one. */
  stored: TagFilter | undefined;
  onSave: (filter: TagFilter) => void;
  onCancel: () => void;
}

const OPERATORS = {
  is: 'has one of these values',
  'is-not': 'has none of these values',
  has: 'exists, with any value',
  lacks: "doesn't exist",
} as const;

type Operator = keyof typeof OPERATORS;

function operatorOf({ values, isNegated }: TagFilter): Operator {
  if (values === undefined) return isNegated ? 'lacks' : 'has';
  return isNegated ? 'is-not' : 'is';
}

const NEW: TagFilter = { key: '', values: [], isNegated: false };

/** A condition on the tags of a resource: a key, how to compare, and values. */
export function ConditionForm({ accountId, stored = NEW, onSave, onCancel }: ConditionFormProps) {
  const [key, setKey] = useState(stored.key);
  const [operator, setOperator] = useState(operatorOf(stored));
  const [values, setValues] = useState(stored.values ?? []);
  const [typed, setTyped] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isOfValues = operator === 'is' || operator === 'is-not';
  // What was typed and not ticked is meant all the same.
  const given = typed === '' || values.includes(typed) ? values : [...values, typed];
  const filter: TagFilter = {
    key,
    values: isOfValues ? given : undefined,
    isNegated: operator === 'is-not' || operator === 'lacks',
  };
  const keyFault = key === '' ? (isTried ? labels.enterOrChooseAKey : undefined) : faultOfKey(key);
  const isWithoutValue = isOfValues && given.length === 0;
  const valueFault =
    isTried && isWithoutValue ? labels.chooseAtLeastOneValue : faultOfValues(filter.values ?? []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    if (key === '' || isWithoutValue || (keyFault ?? valueFault) !== undefined) {
      setIsTried(true);
      const form = event.currentTarget;
      setTimeout(() => focusFirstFault(form));
    } else onSave(filter);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <KeyField accountId={accountId} value={key} error={keyFault} onText={setKey} />
      <Field label={labels.condition}>
        <Select value={operator} onChange={(event) => setOperator(event.target.value as Operator)}>
          {Object.entries(OPERATORS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {isOfValues && (
        <ValuesField
          accountId={accountId}
          tagKey={key}
          chosen={values}
          onChosen={setValues}
          text={typed}
          onText={setTyped}
          error={valueFault}
          // A condition that is changed has its key already.
          autoFocus={stored.key !== ''}
        />
      )}
      <Outcome filter={filter} isComplete={key !== '' && !isWithoutValue} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{labels.cancel}</Button>
        <Button type="submit" look="primary">
          {stored.key === '' ? labels.addCondition : labels.changeCondition}
        </Button>
      </div>
    </form>
  );
}

function Outcome({ filter, isComplete }: { filter: TagFilter; isComplete: boolean }) {
  if (!isComplete) return null;
  const isWide = filter.isNegated && filter.values !== undefined;
  return (
    <p className="line-clamp-4 text-sm text-muted">
      <Words words={wordsOfFilter(filter)} />
      {isWide && '. Also matches resources without the key.'}
    </p>
  );
}

interface KeyFieldProps {
  accountId: string;
  value: string;
  error: string | undefined;
  onText: (text: string) => void;
}

const MOST_SUGGESTIONS = 50;

function KeyField({ accountId, value, error, onText }: KeyFieldProps) {
  const prefix = useSettled(value);
  const isKey = prefix === '' || faultOfKey(prefix) === undefined;
  const { data: keys = [] } = useQuery({ ...tagKeysQuery(accountId, prefix), enabled: isKey });
  // Until the answer to the last letter is there, what is there is narrowed.
  const fitting = keys.filter((key) => key.startsWith(value) && key !== value);
  return (
    <Field label={labels.keyField} error={error} hint={labels.keysAreCaseSensitive}>
      <Combobox
        autoFocus={value === ''}
        value={value}
        onText={onText}
        options={fitting.slice(0, MOST_SUGGESTIONS).map((key) => ({ value: key }))}
        listLabel={labels.keysInUse}
      />
    </Field>
  );
}
