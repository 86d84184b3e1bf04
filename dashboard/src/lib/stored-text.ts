/** What was stored before; undefined when there is nothing, or the browser refuses to tell. */
export function readStored(
  storage: 'localStorage' | 'sessionStorage',
  key: string,
): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or with undefined takes it away. A browser that refuses has forgotten it with the page. */
export function writeStored(
  storage: 'localStorage' | 'sessionStorage',
  key: string,
  text: string | undefined,
): void {
  try {
    if (text === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // Nothing of it is needed to go on.
  }
}
