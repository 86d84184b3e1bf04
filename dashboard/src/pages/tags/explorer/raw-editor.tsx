import { useEffect, useRef, useState } from 'react';
import { Field, Textarea } from '../../../ui/field.tsx';
import { labels } from '../labels.ts';
import type { Explorer } from './explorer.ts';
import { readRawQuery, writeRawQuery } from './raw-query.ts';

const PAUSE_MS = 300;

/** The query string to type or paste; the filter follows a moment after it is typed. */
export function RawEditor({ explorer }: { explorer: Explorer }) {
  const stored = writeRawQuery(explorer.query);
  const [text, setText] = useState(stored);
  const [seen, setSeen] = useState(stored);
  if (seen !== stored) {
    setSeen(stored);
    // What is typed may say the same in its own spelling.
    if (writeRawQuery(readRawQuery(text).query) !== stored) setText(stored);
  }
  const { faults } = readRawQuery(text);
  useFollowing(explorer, text, stored);
  return (
    <Field
      label={labels.queryString}
      error={faults.length > 0 ? faults.join(' ') : undefined}
      hint={labels.theApiParametersTagType}
    >
      <Textarea
        rows={3}
        spellCheck={false}
        className="font-mono text-sm"
        placeholder="tag=env=production,staging&tag=!owner&type=worker"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Field>
  );
}

/** Asks for what a text says, once nobody has changed it for a moment and it has no fault. */
function useFollowing(explorer: Explorer, text: string, stored: string): void {
  const latest = useRef(explorer);
  const lastMade = useRef<string>(undefined);
  useEffect(() => {
    latest.current = explorer;
  });
  useEffect(() => {
    const { query, faults } = readRawQuery(text);
    const wanted = writeRawQuery(query);
    if (faults.length > 0 || wanted === stored) return undefined;
    const timer = setTimeout(() => {
      // The way back leads to before it was typed, not through each of its letters.
      latest.current.onQuery(query, lastMade.current === stored);
      lastMade.current = wanted;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, stored]);
}
