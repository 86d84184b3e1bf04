import { type FormEvent, useState } from 'react';
import { fromLocalField, toLocalField } from '../lib/local-time.ts';
import { Button } from './button.tsx';
import { Field, Input } from './field.tsx';

interface Stretch {
  since?: string;
  until?: string;
}

interface TimeRangeFormProps {
  /** RFC 3339; an end that is left out is open. */
  shown: Stretch;
  /** Whether both ends have to be said. */
  isClosed?: boolean;
  onShow: (wanted: Stretch) => void;
}

/** From one moment to another, in the person's own time zone. */
export function TimeRangeForm({ shown, isClosed = false, onShow }: TimeRangeFormProps) {
  const [since, setSince] = useState(localOf(shown.since));
  const [until, setUntil] = useState(localOf(shown.until));
  const [from, to] = [fromLocalField(since), fromLocalField(until)];
  const isBackwards = from !== undefined && to !== undefined && to <= from;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBackwards) return;
    onShow({ ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Field label="From">
        <Input
          type="datetime-local"
          required={isClosed}
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
      </Field>
      <Field label="To" error={isBackwards ? 'The end must be after the start.' : undefined}>
        <Input
          type="datetime-local"
          required={isClosed}
          value={until}
          onChange={(event) => setUntil(event.target.value)}
        />
      </Field>
      <Button type="submit">Show</Button>
    </form>
  );
}

function localOf(time: string | undefined): string {
  return time === undefined ? '' : toLocalField(time);
}
