import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { cookie } from '../sessions/start-session.ts';
import { LOST_WAY_PATH } from './lost-way-page.ts';
import { safeReturnTo } from './return-to.ts';

type Cookies = Pick<IamServices, 'cookies'>;

// As long as the link in the mail works.
const LIFETIME_MS = 3_600_000;
// Browsers keep 4,096 bytes with the name and the attributes (RFC 6265 section 6.1).
const MAX_ENCODED_LENGTH = 3_500;

/**
 * Remembers where to go once a link from a mail was followed, as a value of `set-cookie`. It stays in
 * the browser: whoever asks for a mail to somebody else must not choose where that person ends up.
 */
export function rememberReturnTo({ cookies }: Cookies, returnTo: string): string {
  if (returnTo === '/') return forgetReturnTo({ cookies });
  const fits = encodeURIComponent(returnTo).length <= MAX_ENCODED_LENGTH;
  return cookie(cookies.returnTo, fits ? returnTo : LOST_WAY_PATH, true, LIFETIME_MS);
}

/** What this browser remembers; `/` when there is nothing. */
export function recallReturnTo({ cookies }: Cookies, { headers }: RequestFacts): string {
  return safeReturnTo(readCookie(headers.cookie, cookies.returnTo) ?? null);
}

/** Takes it from the browser again, as a value of `set-cookie`. */
export function forgetReturnTo({ cookies }: Cookies): string {
  return cookie(cookies.returnTo, '', true, 0);
}
