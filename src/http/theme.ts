import { parseCookie } from 'cookie';

/** Light or dark; `system` is what the browser's surroundings have. */
export type Theme = 'light' | 'dark' | 'system';

/** Set by the dashboard, for all pages of this server. */
const THEME_COOKIE = 'latchkey_theme';

/** The theme that a person has chosen in this browser. */
export function themeOf(cookies: string | undefined): Theme {
  const chosen = cookies === undefined ? undefined : parseCookie(cookies)[THEME_COOKIE];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}
