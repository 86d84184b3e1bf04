import { X } from './icons.tsx';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Field, Input } from './field.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { useActiveOption } from './use-active-option.ts';

interface PickListProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
  /** What is typed to look for, or to add. */
  text: string;
  onText: (text: string) => void;
  /** Those that fit to the text. */
  options: readonly Option[];
  /** What they are: "Values in use". */
  listLabel: string;
  /** Whether also what is in no list can be added. */
  canAdd?: boolean;
  autoFocus?: boolean;
  /** Below the list. */
  children?: ReactNode;
}

/** Several of many things to choose: the arrow keys lead through them, Enter ticks, Backspace takes back. */
export function PickList(props: PickListProps) {
  const { label, hint, error, chosen, onChosen, text, onText, listLabel, autoFocus, children } =
    props;
  const options = optionsOf(props);
  const { field, listId, active, setActive, idOf, move } = useActiveOption(options.length);
  const toggle = ({ value }: Option): void => {
    onChosen(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
    onText('');
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const option = options[active] ?? (text === '' ? undefined : exactly(options, text));
    if (event.key === 'Enter' && (option !== undefined || text !== '')) {
      event.preventDefault();
      if (option !== undefined) toggle(option);
    } else if (event.key === 'Backspace' && text === '') onChosen(chosen.slice(0, -1));
    else move(event);
  };
  return (
    <div>
      <Field label={label} hint={hint} error={error}>
        <ChosenOptions chosen={chosen} onRemove={(value) => toggle({ value })} />
        <Input
          {...field}
          autoFocus={autoFocus}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setActive(-1);
          }}
          onKeyDown={press}
        />
      </Field>
      {options.length > 0 && (
        <OptionList
          id={listId}
          label={listLabel}
          options={options}
          active={active}
          idOf={idOf}
          chosen={chosen}
          onPick={toggle}
          className="mt-1.5 max-h-44 rounded-lg border border-line"
        />
      )}
      {children}
    </div>
  );
}

function exactly(options: readonly Option[], text: string): Option | undefined {
  return options.find(({ value }) => value === text);
}

/** With what is typed in front, when it can be added. */
function optionsOf({ options, text, canAdd }: PickListProps): readonly Option[] {
  if (canAdd !== true || text === '' || exactly(options, text) !== undefined) return options;
  return [{ value: text, label: `Add “${text}”` }, ...options];
}

interface ChosenOptionsProps {
  chosen: readonly string[];
  onRemove: (value: string) => void;
}

// More are not to be seen at a glance.
const MOST_SHOWN = 40;

function ChosenOptions({ chosen, onRemove }: ChosenOptionsProps) {
  const [isWhole, setIsWhole] = useState(false);
  if (chosen.length === 0) return null;
  const shown = isWhole ? chosen : chosen.slice(0, MOST_SHOWN);
  return (
    <ul aria-label="Selected" className="flex flex-wrap gap-1.5">
      {shown.map((value) => (
        <li
          key={value}
          className="inline-flex max-w-full items-center rounded-md border border-line bg-sunken text-sm"
        >
          <bdi className="min-w-0 truncate pl-2" title={value}>
            {value === '' ? <em className="text-muted">(empty)</em> : value}
          </bdi>
          <button
            type="button"
            aria-label={`Remove ${value === '' ? '(empty)' : value}`}
            onClick={() => onRemove(value)}
            className="grid size-6 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
      {shown.length < chosen.length && (
        <li>
          <button type="button" className="text-sm underline" onClick={() => setIsWhole(true)}>
            Show all {chosen.length}
          </button>
        </li>
      )}
    </ul>
  );
}
