import { useEffect, useRef } from 'react';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import type { StepId } from './steps.ts';

/** Another step begins at its heading, or at what is wrong in it; and so does a refusal. */
export function useFocusOnStep(id: StepId, refusedPaths: readonly string[]) {
  const frame = useRef<HTMLDivElement>(null);
  const refused = refusedPaths.join(' ');
  const shown = useRef({ id, refused });
  useEffect(() => {
    const before = shown.current;
    shown.current = { id, refused };
    const isOther = before.id !== id;
    const isRefused = refused !== '' && before.refused === '';
    if (!isOther && !isRefused) return;
    if (!focusFirstFault(frame.current) && isOther) frame.current?.querySelector('h2')?.focus();
  }, [id, refused]);
  return {
    /** Around the fields of the step. */
    frame,
    /** To be called when faults are about to be shown. */
    focusFault: () => void setTimeout(() => focusFirstFault(frame.current)),
  };
}
