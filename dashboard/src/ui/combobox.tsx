import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { Input } from './field.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { useActiveOption } from './use-active-option.ts';

interface ComboboxProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list'> {
  value: string;
  /** Told of each text, typed or chosen. */
  onText: (text: string) => void;
  /** Those that fit to the text. */
  options: readonly Option[];
  /** What they are: "Keys in use". */
  listLabel: string;
  /** Told when the list is put away: something was chosen, or the person left it. */
  onClose?: () => void;
}

/** A text to type, with suggestions; any other text is as good. */
export function Combobox(props: ComboboxProps) {
  const { value, onText, options, listLabel, onClose, onBlur, ...rest } = props;
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen ? options : [];
  const { field, listId, active, setActive, idOf, move } = useActiveOption(shown.length);
  const close = (): void => {
    setIsOpen(false);
    setActive(-1);
    onClose?.();
  };
  const pick = ({ value: text }: Option): void => {
    onText(text);
    close();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const option = shown[active];
    if (event.key === 'ArrowDown' && !isOpen) setIsOpen(true);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && option !== undefined) {
      event.preventDefault();
      pick(option);
    } else move(event);
  };
  return (
    <div className="relative">
      <Input
        {...rest}
        {...field}
        value={value}
        onChange={(event) => {
          onText(event.target.value);
          setIsOpen(true);
          setActive(-1);
        }}
        onClick={() => setIsOpen(true)}
        onBlur={(event) => {
          close();
          onBlur?.(event);
        }}
        onKeyDown={press}
      />
      {shown.length > 0 && (
        <OptionList
          id={listId}
          label={listLabel}
          options={shown}
          active={active}
          idOf={idOf}
          onPick={pick}
          className="absolute inset-x-0 top-full z-10 mt-1 max-h-52 rounded-lg border border-line bg-raised shadow-float"
        />
      )}
    </div>
  );
}
