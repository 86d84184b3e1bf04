import { searchable } from '../lib/searchable.ts';
import { type ComponentProps, useState } from 'react';
import { Combobox } from './combobox.tsx';

interface SuggestInputProps extends Omit<
  ComponentProps<typeof Combobox>,
  'onText' | 'options' | 'listLabel' | 'onClose' | 'onChange'
> {
  onChange: (value: string) => void;
  /** All there are; those that hold what is typed are shown. */
  suggestions: readonly string[];
}

/** A line to type in which may be anything, with what it probably is below it. */
export function SuggestInput({ onChange, suggestions, ...rest }: SuggestInputProps) {
  // What stands there from before narrows nothing.
  const [typed, setTyped] = useState('');
  return (
    <Combobox
      {...rest}
      listLabel="Suggestions"
      options={matching(suggestions, typed).map((value) => ({ value }))}
      onText={(text) => {
        onChange(text);
        setTyped(text);
      }}
      onClose={() => setTyped('')}
    />
  );
}

// More than one looks through, and few enough to be drawn at once.
const MOST_SHOWN = 50;

/** Those that begin with what is typed come before those that have it in the middle. */
function matching(suggestions: readonly string[], typed: string): readonly string[] {
  const wanted = searchable(typed.trim());
  const found = suggestions.filter((suggestion) => searchable(suggestion).includes(wanted));
  if (found.length === 1 && found[0] === typed) return [];
  const [first, others] = [true, false].map((begins) =>
    found.filter((suggestion) => searchable(suggestion).startsWith(wanted) === begins),
  );
  return [...(first ?? []), ...(others ?? [])].slice(0, MOST_SHOWN);
}
