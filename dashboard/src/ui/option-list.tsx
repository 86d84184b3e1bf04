import { clsx } from 'clsx';
import { Check } from './icons.tsx';
import type { ReactNode } from 'react';

/** Something to choose. */
export interface Option {
  value: string;
  /** How it is shown; default: as it is. */
  label?: ReactNode;
  /** At the end of its line: how many there are. */
  detail?: ReactNode;
}

interface OptionListProps {
  id: string;
  label: string;
  options: readonly Option[];
  active: number;
  idOf: (index: number) => string;
  /** Those with a tick; left out where one is chosen at once. */
  chosen?: readonly string[];
  onPick: (option: Option) => void;
  className?: string;
}

/** What can be chosen in a field; the field keeps the focus. */
export function OptionList({
  id,
  label,
  options,
  active,
  idOf,
  chosen,
  onPick,
  className,
}: OptionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable={chosen === undefined ? undefined : true}
      className={clsx('overflow-y-auto overscroll-contain p-1', className)}
    >
      {options.map((option, index) => {
        const isChosen = chosen?.includes(option.value) === true;
        return (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus
          <div
            key={option.value}
            id={idOf(index)}
            role="option"
            aria-selected={chosen === undefined ? index === active : isChosen}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
            className={clsx(
              'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-[0.9375rem] hover:bg-hover',
              index === active && 'bg-hover outline-2 -outline-offset-2 outline-accent',
            )}
          >
            {chosen !== undefined && (
              <Check
                aria-hidden
                className={clsx('size-4 shrink-0 text-accent', !isChosen && 'opacity-0')}
              />
            )}
            <bdi className="min-w-0 flex-1 truncate" title={option.value}>
              {option.label ?? option.value}
            </bdi>
            {option.detail !== undefined && (
              <span className="shrink-0 text-sm text-muted tabular-nums">{option.detail}</span>
            )}
          </div>
        );
      })}
    </div>
  );
}
