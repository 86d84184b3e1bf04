import { useSyncExternalStore } from 'react';

/** What the person wants to see; `system` follows the setting of the machine. */
export type Theme = 'light' | 'dark' | 'system';

const COOKIE = 'latchkey_theme';
const ONE_YEAR_SECONDS = 31_536_000;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** The theme that is chosen, wherever it was chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

/** In a cookie, so that the server sends every page, also that for signing in, in the right colours. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  const age = theme === 'system' ? 0 : ONE_YEAR_SECONDS;
  document.cookie = `${COOKIE}=${theme}; path=/; max-age=${age}; samesite=lax`;
  for (const listener of listeners) listener();
}
