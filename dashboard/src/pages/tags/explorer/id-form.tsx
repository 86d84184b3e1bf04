import { type FormEvent, useState } from 'react';
import { counted } from '../../../lib/counted.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { MAX_IDS, faultOfQuery } from './tag-search.ts';

interface IdFormProps {
  stored: readonly string[];
  onSave: (ids: string[]) => void;
  onCancel: () => void;
}

function idsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** The ids that resources may have. Any one of them is enough. */
export function IdForm({ stored, onSave, onCancel }: IdFormProps) {
  const [text, setText] = useState(stored.join('\n'));
  const ids = idsOf(text);
  const fault = faultOfQuery({ id: ids }, undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (fault === undefined) onSave(ids);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field
        label="IDs, one on each line"
        error={fault}
        hint={`${counted(ids.length, 'ID')} of up to ${MAX_IDS}. Resources with any of them are found.`}
      >
        <Textarea
          rows={5}
          autoFocus
          spellCheck={false}
          className="font-mono"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={fault !== undefined}>
          {ids.length === 0 ? 'Any ID' : 'Use these IDs'}
        </Button>
      </div>
    </form>
  );
}
