import { apiError, httpErrors } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import { unauthenticated } from '../credentials.ts';
import {
  CSRF_HEADER,
  type CookieNames,
  isCsrfToken,
  readCookie,
} from '../sessions/session-cookie.ts';

/**
 * The secret of the session that a request wants to complete. Its cookie is no credential yet, so the
 * access check of the route has not looked at it.
 * @throws ApiError 401 without the cookie, 403 without its CSRF token
 */
export function pendingSessionSecret(request: RequestFacts, cookies: CookieNames): string {
  const secret = readCookie(request.headers.cookie, cookies.session);
  if (secret === undefined) throw unauthenticated();
  checkCsrf(request, secret);
  return secret;
}

/** @throws ApiError 403 when the header is not the CSRF token of that session */
export function checkCsrf(request: RequestFacts, secret: string): void {
  if (isCsrfToken(request.headers[CSRF_HEADER], secret)) return;
  throw apiError(httpErrors.forbidden, {
    message: `Forbidden: requests with a session cookie need its CSRF token in the header ${CSRF_HEADER}`,
  });
}
