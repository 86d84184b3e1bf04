import { randomBytes } from 'node:crypto';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { csrfTokenOf, isCsrfToken, readCookie } from '../sessions/session-cookie.ts';
import { cookie } from '../sessions/start-session.ts';

/** The field of every form that shows that a page of ours has sent it. */
export const FORM_TOKEN = 'form_token';

const LIFETIME_MS = 86_400_000;
const FORM_SECRET = /^[A-Za-z0-9_-]{32}$/;

/**
 * The token of a form that is there before anybody has signed in: made from a cookie that no other
 * site's page can read or send along (double submit).
 * @returns also the cookie, as a value of `set-cookie`
 */
export function formToken(
  { cookies }: Pick<IamServices, 'cookies'>,
  { headers }: RequestFacts,
): { token: string; cookie: string } {
  const presented = readCookie(headers.cookie, cookies.form);
  const secret =
    presented !== undefined && FORM_SECRET.test(presented)
      ? presented
      : randomBytes(24).toString('base64url');
  return { token: csrfTokenOf(secret), cookie: cookie(cookies.form, secret, true, LIFETIME_MS) };
}

/**
 * Demands that a form came from a page of ours.
 * @param secret of the session that the form belongs to; without one, the cookie of {@link formToken}
 * @throws ApiError 403
 */
export function checkForm(
  { cookies, origin }: Pick<IamServices, 'cookies' | 'origin'>,
  { headers }: RequestFacts,
  fields: URLSearchParams,
  secret = readCookie(headers.cookie, cookies.form),
): void {
  const isOurs =
    isFromHere(headers, origin()) &&
    secret !== undefined &&
    secret !== '' &&
    isCsrfToken(fields.get(FORM_TOKEN), secret);
  if (isOurs) return;
  throw apiError(httpErrors.forbidden, {
    message: 'This form has expired, or your browser blocks cookies. Submit it again',
  });
}

/** What browsers say of where a request comes from; old ones say nothing. */
function isFromHere(headers: RequestFacts['headers'], ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  // `null` is what pages send that keep their address to themselves, as ours do.
  if (origin === undefined || origin === 'null' || origin === ownOrigin) return true;
  return URL.parse(origin)?.host === host;
}
