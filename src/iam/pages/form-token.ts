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

/** Returns the secret of the form cookie of a browser; empty without one. */
export function formSecret(
  { cookies }: Pick<IamServices, 'cookies'>,
  { headers }: RequestFacts,
): string {
  return readCookie(headers.cookie, cookies.form) ?? '';
}

/**
 * Checks that a form was sent by a page of this server.
 * @param secret of the session that the form belongs to; without one, the cookie of {@link formToken}
 * @throws ApiError 403 with the cause and the next step
 */
export function checkForm(
  { cookies, origin, report }: Pick<IamServices, 'cookies' | 'origin' | 'report'>,
  request: RequestFacts,
  fields: URLSearchParams,
  secret = formSecret({ cookies }, request),
): void {
  const { headers } = request;
  const ownOrigin = origin();
  const isOurs =
    isFromHere(headers, ownOrigin) && secret !== '' && isCsrfToken(fields.get(FORM_TOKEN), secret);
  if (isOurs) return;
  const cause = causeOf(headers, ownOrigin, cookies);
  if (cause === 'other-address') {
    const visited = /^[\w.:[\]-]{1,255}$/.test(headers.host ?? '')
      ? headers.host
      : 'another address';
    report(
      new Error(`a browser visits ${visited}, but LATCHKEY_BASE_URL is at ${ownOrigin}`),
      'a form was rejected',
    );
  }
  throw apiError(httpErrors.forbidden, { message: MESSAGES[cause].replace('%s', ownOrigin) });
}

type Cause = 'other-address' | 'other-site' | 'no-cookie' | 'expired';

const MESSAGES: Readonly<Record<Cause, string>> = {
  'other-address': 'This server does not accept forms at the address that you opened. Open %s',
  'other-site': 'This form was sent from another site. Open the page again and submit it there',
  'no-cookie': 'Your browser did not send the cookie of this form. Allow cookies and try again',
  expired: 'This form has expired. Submit it again',
};

function causeOf(
  headers: RequestFacts['headers'],
  ownOrigin: string,
  { form, session }: IamServices['cookies'],
): Cause {
  const isSecure = ownOrigin.startsWith('https:');
  if (!isFromHere(headers, ownOrigin)) {
    const isWithoutTls = isSecure && headers.origin === ownOrigin.replace('https:', 'http:');
    return isWithoutTls ? 'other-address' : 'other-site';
  }
  const presented = [form, session].some((name) => readCookie(headers.cookie, name) !== undefined);
  if (presented) return 'expired';
  // Browsers store secure cookies only over https.
  const isElsewhere = headers.host?.toLowerCase() !== new URL(ownOrigin).host;
  return isSecure && isElsewhere ? 'other-address' : 'no-cookie';
}

/** Reads the origin that browsers send; old ones send none. */
function isFromHere(headers: RequestFacts['headers'], ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  // Pages that hide their address send `null`, as those of this server do.
  if (origin === undefined || origin === 'null' || origin === ownOrigin) return true;
  return URL.parse(origin)?.host === host;
}
