import { type ComponentProps, type KeyboardEvent, useEffect, useId, useState } from 'react';

interface ActiveOption {
  /** What makes an input the field of the list. */
  field: ComponentProps<'input'>;
  listId: string;
  /** Place of the option that the arrow keys have come to; -1: none. */
  active: number;
  setActive: (index: number) => void;
  idOf: (index: number) => string;
  /** Moves on with the arrow keys; true when the key was one of them. */
  move: (event: KeyboardEvent) => boolean;
}

/** Leads through a list with the arrow keys while the focus stays in the field above it (WAI-ARIA, combobox). */
export function useActiveOption(count: number): ActiveOption {
  const listId = useId();
  const [wanted, setActive] = useState(-1);
  const active = wanted < count ? wanted : -1;
  const idOf = (index: number): string => `${listId}-${index}`;
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);
  const move = (event: KeyboardEvent): boolean => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || count === 0) return false;
    event.preventDefault();
    // From the field to the first or last, and from there back to the field.
    const next = active + by;
    setActive(next < -1 ? count - 1 : next >= count ? -1 : next);
    return true;
  };
  const field = {
    role: 'combobox',
    'aria-expanded': count > 0,
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    'aria-activedescendant': active === -1 ? undefined : idOf(active),
    autoCapitalize: 'off',
    spellCheck: false,
  } as const;
  return { field, listId, active, setActive, idOf, move };
}
