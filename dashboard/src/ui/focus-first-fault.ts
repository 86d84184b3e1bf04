const FAULTY = '[aria-invalid="true"], [data-invalid] :is(input, select, textarea, button):enabled';

/** Puts the focus on the first control of a part of the page that shows a fault; false when none does. */
export function focusFirstFault(part: Element | null): boolean {
  const control = part?.querySelector<HTMLElement>(FAULTY) ?? null;
  control?.focus();
  return control !== null;
}
