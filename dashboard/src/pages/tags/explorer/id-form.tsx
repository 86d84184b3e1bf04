import { type FormEvent, useState } from 'react';
import { counted } from '../../../lib/counted.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { labels } from '../labels.ts';
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
        label={labels.idsOnePerLine}
        error={fault}
        hint={labels.ofUpToMatchesResources(counted(ids.length, 'ID'), MAX_IDS)}
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
        <Button onClick={onCancel}>{labels.cancel}</Button>
        <Button type="submit" look="primary" disabled={fault !== undefined}>
          {ids.length === 0 ? labels.anyId : labels.theseIds}
        </Button>
      </div>
    </form>
  );
}
