import { createContext, use, useEffect } from 'react';

/** Reports to a dialog that one of its forms has unsaved input. Undefined outside of dialogs. */
export const UnsavedInput = createContext<((form: object, isUnsaved: boolean) => void) | undefined>(
  undefined,
);

/**
 * Makes the dialog around a form ask before it is closed with unsaved input.
 * @param form any object that is the same on each call
 */
export function useUnsavedInput(form: object, isUnsaved: boolean): void {
  const report = use(UnsavedInput);
  useEffect(() => {
    report?.(form, isUnsaved);
    return () => report?.(form, false);
  }, [report, form, isUnsaved]);
}
