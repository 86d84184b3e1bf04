/** The key code of keys that an input method has handled. Safari sends it after the composition has ended. */
const HANDLED_BY_INPUT_METHOD = 229;

/** Returns true for a key of an input method that composes text. */
export function isComposing({ isComposing: is, keyCode }: KeyboardEvent): boolean {
  return is || keyCode === HANDLED_BY_INPUT_METHOD;
}

/** Keeps a window open when Escape ends the composition of an input method: for `onEscapeKeyDown`. */
export function keepWhileComposing(event: KeyboardEvent): void {
  if (isComposing(event)) event.preventDefault();
}
