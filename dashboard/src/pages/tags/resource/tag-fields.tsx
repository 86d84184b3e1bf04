import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { tagKeysQuery, tagValuesQuery } from '../../../api/tags.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { Combobox } from '../../../ui/combobox.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import type { Option } from '../../../ui/option-list.tsx';
import { labels } from '../labels.ts';
import { keyFault } from './tag-rules.ts';

const MOST_SUGGESTIONS = 50;

interface KeyFieldProps {
  accountId: string;
  /** For screen readers, which tag it is: "Key 3". */
  label: string;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  /** Once somebody has been in it. */
  onLeave?: () => void;
}

/** The key of a tag, with the keys in use as suggestions. */
export function KeyField({ accountId, label, value, error, onChange, onLeave }: KeyFieldProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const prefix = useSettled(value);
  const { data = [] } = useQuery({
    ...tagKeysQuery(accountId, prefix),
    // What is no key is the beginning of none.
    enabled: hasFocus && (prefix === '' || keyFault(prefix) === undefined),
    placeholderData: keepPreviousData,
  });
  return (
    <Field label={<span className="sr-only">{label}</span>} error={error} className="min-w-0">
      <Combobox
        value={value}
        placeholder={labels.keyField}
        dir="auto"
        className="font-mono text-sm"
        listLabel={labels.keysInUse}
        options={hasFocus ? optionsOf(data, value) : []}
        onText={onChange}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false);
          onLeave?.();
        }}
      />
    </Field>
  );
}

interface ValueFieldProps extends Omit<KeyFieldProps, 'onLeave'> {
  /** Whose values are suggested. */
  tagKey: string;
  isLong: boolean;
  hint?: ReactNode;
}

/** The value of a tag, with those in use of its key as suggestions. */
export function ValueField({
  accountId,
  label,
  tagKey,
  value,
  isLong,
  error,
  hint,
  onChange,
}: ValueFieldProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const prefix = useSettled(value);
  const { data = [] } = useQuery({
    ...tagValuesQuery(accountId, tagKey, prefix),
    enabled: hasFocus && !isLong && keyFault(tagKey) === undefined,
    placeholderData: keepPreviousData,
  });
  const shared = { value, placeholder: labels.valueCanBeEmpty, spellCheck: false, dir: 'auto' };
  return (
    <Field
      label={<span className="sr-only">{label}</span>}
      error={error}
      hint={hint}
      className="min-w-0"
    >
      {isLong ? (
        <Textarea
          {...shared}
          rows={3}
          className="font-mono text-sm"
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Combobox
          {...shared}
          className="font-mono text-sm"
          listLabel={labels.valuesInUseList}
          options={hasFocus ? optionsOf(data, value) : []}
          onText={onChange}
          onPaste={(event) => pasteLines(event, onChange)}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
        />
      )}
    </Field>
  );
}

/** A field of one line would join several lines to one. */
function pasteLines(event: ClipboardEvent<HTMLInputElement>, onChange: (text: string) => void) {
  const pasted = event.clipboardData.getData('text').replaceAll('\r\n', '\n').trimEnd();
  if (!pasted.includes('\n')) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const start = selectionStart ?? value.length;
  onChange(value.slice(0, start) + pasted + value.slice(selectionEnd ?? start));
}

/** What goes on from what is typed. */
function optionsOf(texts: readonly string[], typed: string): Option[] {
  return texts
    .filter((text) => text !== typed && text.startsWith(typed))
    .slice(0, MOST_SUGGESTIONS)
    .map((text) => (text === '' ? { value: text, label: EMPTY } : { value: text }));
}

const EMPTY = <em className="text-muted">empty</em>;
