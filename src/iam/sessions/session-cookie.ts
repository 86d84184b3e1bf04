import { createHash, timingSafeEqual } from 'node:crypto';
import { parseCookie } from 'cookie';

/**
 * The names of the cookies. Over https they carry the prefix that binds them to this host and to
 * https (RFC 6265bis section 4.1.3.2).
 */
export interface CookieNames {
  /** `HttpOnly`: the session's secret. */
  session: string;
  /** Readable by scripts of our own pages, which send it back in the header {@link CSRF_HEADER}. */
  csrf: string;
  /** `HttpOnly`: tells a browser that has signed in before. */
  device: string;
  /** `HttpOnly`: what the forms of pages before the sign-in belong to. */
  form: string;
  /** `HttpOnly`: binds a sign-in at another server to the browser that began it. */
  external: string;
  /** `HttpOnly`: where to go once a password was chosen with a link. */
  returnTo: string;
}

/** A request with the session cookie must carry this header: another site's page cannot set it. */
export const CSRF_HEADER = 'x-csrf-token';

export function cookieNames(isSecure: boolean): CookieNames {
  const prefix = isSecure ? '__Host-' : '';
  return {
    session: `${prefix}latchkey_session`,
    csrf: `${prefix}latchkey_csrf`,
    device: `${prefix}latchkey_device`,
    form: `${prefix}latchkey_form`,
    external: `${prefix}latchkey_external`,
    returnTo: `${prefix}latchkey_return_to`,
  };
}

/** The value of one cookie of a request, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name];
}

/**
 * The CSRF token of a session: made from its secret, so that it need not be stored and another
 * session's does not fit.
 */
export function csrfTokenOf(sessionSecret: string): string {
  return createHash('sha256').update(`csrf:${sessionSecret}`).digest('base64url');
}

/** Whether the presented CSRF token belongs to the session. Takes the same time for every wrong one. */
export function isCsrfToken(presented: unknown, sessionSecret: string): boolean {
  if (typeof presented !== 'string') return false;
  const expected = Buffer.from(csrfTokenOf(sessionSecret));
  const given = Buffer.from(presented);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
