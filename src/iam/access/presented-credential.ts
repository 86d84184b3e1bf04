import type { IncomingHttpHeaders } from 'node:http';
import { CSRF_HEADER } from '../sessions/session-cookie.ts';

// RFC 6750 section 2.1: the b64token syntax.
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

// A mistyped token of this server counts as one of its tokens, and must not be ignored.
const OWN_TOKEN = /^lk[a-z]{2,3}_/;

/**
 * Returns the token of an `Authorization: Bearer` header.
 * @returns undefined without a header; 'malformed' if the header has another format
 */
export function parseBearer(
  header: string | undefined,
): { token: string } | 'malformed' | undefined {
  if (header === undefined) return undefined;
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? 'malformed' : { token };
}

/**
 * Decides if a request authenticates with its session cookie: it has no `Authorization` header, or it comes
 * from a page, which sends a CSRF token, and the header contains a credential that this server did not
 * issue. A reverse proxy with its own authentication adds such a credential to every request of a browser.
 */
export function usesSession(headers: IncomingHttpHeaders): boolean {
  if (headers.authorization === undefined) return true;
  return headers[CSRF_HEADER] !== undefined && isForeignCredential(headers.authorization);
}

/** Decides if an `Authorization` header contains something other than a token in the form of this server. */
export function isForeignCredential(authorization: string): boolean {
  const bearer = parseBearer(authorization);
  return typeof bearer !== 'object' || !OWN_TOKEN.test(bearer.token);
}
