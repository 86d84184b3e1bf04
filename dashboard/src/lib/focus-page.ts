/** Takes the keyboard to the beginning of the page, when what had the focus is gone. */
export function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
