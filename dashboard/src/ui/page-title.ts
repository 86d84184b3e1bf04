import { brandName } from '../lib/site.ts';

let isFirst = true;
let announced = '';
const listeners = new Set<() => void>();

/** Names the page that is shown, in the window's title and to screen readers. */
export function setPageTitle(title: string): void {
  document.title = `${title} · ${brandName}`;
  // The browser itself has told of the first.
  if (!isFirst) announced = title;
  isFirst = false;
  for (const listener of listeners) listener();
}

/** The title that screen readers have yet to hear; empty for the first page. */
export function announcement(): string {
  return announced;
}

/** Tells of every new title. Returns what stops it. */
export function subscribeToTitle(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
