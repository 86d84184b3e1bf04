import { type RefObject, useEffect, useRef } from 'react';

/** For a field that is to be typed anew: it has the focus, with its text selected, when it turns out wrong. */
export function useFocusOnFault(isWrong: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWrong) field.current?.select();
  }, [isWrong]);
  return field;
}
