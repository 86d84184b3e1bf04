import { csrfCookie } from '../lib/site.ts';

/**
 * The token that goes with the session of this browser; empty without one. Asked anew each time: another tab
 * may have signed in or out meanwhile.
 */
export function csrfToken(): string {
  const start = `${csrfCookie}=`;
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith(start));
  return cookie?.slice(start.length) ?? '';
}
