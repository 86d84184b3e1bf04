import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../../http/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { ExpectedError } from '../../lib/expected-error.ts';
import { type Credentials, isUsable } from '../credentials.ts';
import type { LastUsed } from '../last-used.ts';
import { type CredentialPrincipal, type SessionPrincipal, tokenOf } from '../principal.ts';
import { isAddressAllowed } from '../request-ip.ts';
import { useSession } from '../sessions/presented-session.ts';
import {
  CSRF_HEADER,
  type CookieNames,
  isCsrfToken,
  readCookie,
} from '../sessions/session-cookie.ts';
import { parseBearer } from './presented-credential.ts';

/** The reason that a request is not authenticated. */
export type AuthFailure =
  /** The request has no credential. */
  | 'missing'
  /** The header has another format than `Bearer <token>`. */
  | 'malformed'
  /** No such token or session exists. */
  | 'unknown'
  /** The credential has expired, is disabled, or is not valid yet. */
  | 'unusable'
  /** The token does not allow the address of the client. */
  | 'wrong_address'
  /** The session cookie comes without its CSRF token. */
  | 'missing_csrf_token';

interface AuthErrorDetails {
  /** The presented bearer token. */
  token?: string | undefined;
  /** The owner of a credential that exists. */
  principal?: CredentialPrincipal;
  /** The address has presented too many wrong credentials: error 971. */
  rateLimited?: ApiError | undefined;
}

/** A request is not authenticated. Each endpoint decides which response the reason has. */
export class AuthError extends ExpectedError {
  readonly reason: AuthFailure;
  readonly token: string | undefined;
  readonly principal: CredentialPrincipal | undefined;
  readonly rateLimited: ApiError | undefined;

  constructor(reason: AuthFailure, details: AuthErrorDetails = {}) {
    super(reason);
    this.reason = reason;
    this.token = details.token;
    this.principal = details.principal;
    this.rateLimited = details.rateLimited;
  }
}

/** The dependencies of the authentication. */
export interface AuthServices {
  credentials: Credentials;
  cookies: CookieNames;
  clock: Clock;
}

/** The credential of a request, and where the request comes from. */
export interface AuthRequest {
  /** `Bearer <token>`. Ignored with `session`. */
  authorization?: string | undefined;
  /** The headers of a request that authenticates with its session cookie. */
  session?: IncomingHttpHeaders | undefined;
  ip: string;
}

/**
 * Authenticates a request with its API token, OAuth access token or session. It neither checks a permission nor records the
 * use of the credential (see {@link recordUse}). An unknown credential counts against the address.
 * @throws AuthError without a valid credential
 * @throws ApiError 971 if the credential is not in memory and its address has to wait
 */
export async function authenticateRequest(
  services: AuthServices,
  { authorization, session, ip }: AuthRequest,
): Promise<CredentialPrincipal> {
  if (session !== undefined) return await authenticateSession(services, session, ip);
  const bearer = parseBearer(authorization);
  if (bearer === undefined) throw new AuthError('missing');
  if (bearer === 'malformed') throw new AuthError('malformed');
  return await authenticateToken(services, bearer.token, ip);
}

/**
 * Authenticates a bearer token.
 * @throws AuthError and ApiError like {@link authenticateRequest}
 */
export async function authenticateToken(
  { credentials, clock }: Pick<AuthServices, 'credentials' | 'clock'>,
  token: string,
  ip: string,
): Promise<CredentialPrincipal> {
  const principal = await credentials.resolve(token, ip);
  if (principal === undefined) {
    throw new AuthError('unknown', { token, rateLimited: credentials.countWrong(ip) });
  }
  if (!isUsable(principal, clock.now())) throw new AuthError('unusable', { token, principal });
  const requestIp = tokenOf(principal)?.requestIp;
  if (requestIp !== undefined && !isAddressAllowed(requestIp, ip)) {
    throw new AuthError('wrong_address', { token, principal });
  }
  return principal;
}

/** Browsers send cookies without being asked. The CSRF header proves that a page of this server sent the request. */
async function authenticateSession(
  { credentials, cookies, clock }: AuthServices,
  headers: IncomingHttpHeaders,
  ip: string,
): Promise<SessionPrincipal> {
  const secret = readCookie(headers.cookie, cookies.session);
  if (secret === undefined) throw new AuthError('missing');
  const principal = await credentials.resolveSession(secret, ip);
  if (principal === undefined) {
    throw new AuthError('unknown', { rateLimited: credentials.countWrong(ip) });
  }
  if (!isUsable(principal, clock.now())) throw new AuthError('unusable');
  if (!isCsrfToken(headers[CSRF_HEADER], secret)) throw new AuthError('missing_csrf_token');
  return principal;
}

/** The dependencies of {@link recordUse}. */
export interface UseServices {
  /** Last uses of API tokens. */
  lastUsed: LastUsed;
  /** Last uses of sessions. */
  lastSeen: LastUsed;
  /** Last uses of grants to OAuth clients. */
  lastUsedGrants: LastUsed;
  clock: Clock;
}

/**
 * Records the use of a credential.
 * @throws AuthError for a session that was idle for too long
 */
export function recordUse(
  { lastUsed, lastSeen, lastUsedGrants, clock }: UseServices,
  principal: CredentialPrincipal,
): void {
  if (principal.type === 'oauth') lastUsedGrants.record(principal.authorization.grantId);
  else if (principal.type !== 'user') lastUsed.record(principal.token.id);
  else if (!useSession(lastSeen, principal.session, clock)) throw new AuthError('unusable');
}
