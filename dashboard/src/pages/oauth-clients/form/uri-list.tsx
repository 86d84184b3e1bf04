import { Plus, X } from '../../../ui/icons.tsx';
import { type ClipboardEvent, type ReactNode, useId, useRef } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import type { UriListName } from './client-values.ts';
import { labels } from './labels.ts';
import { Suggestion } from './suggestion.tsx';
import type { ClientForm } from './use-client-form.ts';

const MAX_ROWS = 100;

interface UriListProps {
  client: ClientForm;
  name: UriListName;
  /** Of all: "Redirect URIs". */
  legend: ReactNode;
  /** Of one: "Redirect URI". */
  label: string;
  hint: ReactNode;
  placeholder: string;
  /** What to know about an entry without fault. */
  describe?: (text: string) => string | undefined;
}

/** Addresses, one in a row, each with what is wrong with it. Several can be pasted at once. */
export function UriList({
  client,
  name,
  legend,
  label,
  hint,
  placeholder,
  describe,
}: UriListProps) {
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const rows = client.values[name];
  const set = (next: string[]): void => client.set(name, next);
  // Once React has drawn the rows anew.
  const focusRow = (index: number): void => {
    setTimeout(() => {
      const inputs = group.current?.querySelectorAll<HTMLElement>('input, [data-add]') ?? [];
      inputs[Math.min(index, inputs.length - 1)]?.focus();
    });
  };
  const paste = (event: ClipboardEvent, index: number): void => {
    const texts = event.clipboardData.getData('text').split(/\s+/).filter(Boolean);
    if (texts.length < 2) return;
    event.preventDefault();
    const kept = (rows[index] ?? '').trim() === '' ? [] : [rows[index] ?? ''];
    set(rows.toSpliced(index, 1, ...kept, ...texts).slice(0, MAX_ROWS));
    client.touch(...texts.map((_text, offset) => `${name}.${index + kept.length + offset}`));
  };
  const listFault = client.faultAt(name);
  return (
    <fieldset ref={group} className="min-w-0 space-y-2" aria-describedby={`${id}-hint`}>
      <legend className="text-[0.9375rem] font-medium">{legend}</legend>
      <div id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </div>
      {listFault !== undefined && <p className="text-sm text-danger">{listFault.reason}</p>}
      {rows.map((text, index) => (
        <UriRow
          // eslint-disable-next-line react/no-array-index-key -- rows hold nothing but their text
          key={index}
          client={client}
          path={`${name}.${index}`}
          label={`${label} ${index + 1}`}
          text={text}
          placeholder={placeholder}
          describe={describe}
          onChange={(next) => set(rows.with(index, next))}
          onPaste={(event) => paste(event, index)}
          onRemove={() => {
            client.removeRow(name, index);
            focusRow(index);
          }}
        />
      ))}
      {rows.length < MAX_ROWS && (
        <Button
          isSmall
          data-add
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => {
            set([...rows, '']);
            focusRow(rows.length);
          }}
        >
          {labels.add(label.charAt(0).toLowerCase(), label.slice(1))}
        </Button>
      )}
    </fieldset>
  );
}

interface UriRowProps {
  client: ClientForm;
  path: string;
  label: string;
  text: string;
  placeholder: string;
  describe: ((text: string) => string | undefined) | undefined;
  onChange: (text: string) => void;
  onPaste: (event: ClipboardEvent) => void;
  onRemove: () => void;
}

function UriRow({ client, path, label, text, placeholder, describe, ...row }: UriRowProps) {
  const fault = client.faultAt(path);
  const note = client.faults.has(path) ? undefined : describe?.(text.trim());
  const accept = (next: string): void => row.onChange(next);
  return (
    <div className="flex items-start gap-1">
      <Field
        className="min-w-0 flex-1"
        label={<span className="sr-only">{label}</span>}
        error={fault?.reason}
        hint={
          fault?.suggestion === undefined ? note : <Suggestion fault={fault} onAccept={accept} />
        }
      >
        <Input
          inputMode="url"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          className="font-mono text-sm"
          placeholder={placeholder}
          value={text}
          onChange={(event) => row.onChange(event.target.value)}
          onPaste={row.onPaste}
          onBlur={() => {
            if (text !== text.trim()) row.onChange(text.trim());
            if (text.trim() !== '') client.touch(path);
          }}
        />
      </Field>
      <IconButton
        label={labels.remove(label)}
        icon={<X aria-hidden className="size-4" />}
        className="mt-2"
        onClick={row.onRemove}
      />
    </div>
  );
}
