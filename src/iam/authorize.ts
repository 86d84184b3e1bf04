import type { IncomingHttpHeaders } from 'node:http';
import { READABLE_BY_EVERYBODY, corsHeaders } from '../http/cors.ts';
import { ApiError, apiError, httpErrors, notFound } from '../http/errors.ts';
import type { AccessControl } from '../http/register-routes.ts';
import type { AccessDescription } from '../http/route-schema.ts';
import type { RequestFacts } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import { isWellFormedSecret } from '../lib/secrets.ts';
import type { LastUsed } from './last-used.ts';
import type { RefusalLog } from './audit/refusal-log.ts';
import { type Credentials, isUsable, unauthenticated } from './credentials.ts';
import {
  type PermissionSlug,
  findPermissionBySlug,
  impliedPermissions,
  permissionName,
} from './permissions.ts';
import { iamErrors } from './iam-errors.ts';
import type { AccountResource } from './policy.ts';
import {
  ANONYMOUS,
  type CredentialPrincipal,
  type OAuthAuthorization,
  type Principal,
  type SessionPrincipal,
  accountsOf,
  holds,
  tokenOf,
  userOf,
} from './principal.ts';
import { type RateLimiter, rateHeaders, rateLimited } from './rate-limiter.ts';
import { isAddressAllowed } from './request-ip.ts';
import type { Access } from './route.ts';
import { useSession } from './sessions/presented-session.ts';
import {
  CSRF_HEADER,
  type CookieNames,
  isCsrfToken,
  readCookie,
} from './sessions/session-cookie.ts';

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

/**
 * Returns the error for a client without the permission, which it names. If an access token lacks the scope, the
 * response names the scope to request (RFC 6750 section 3.1). If the user lacks the permission or did not select the
 * account, no scope would help.
 */
export function forbidden(permission: PermissionSlug, principal?: Principal): ApiError {
  const headers: Record<string, string> =
    principal?.type === 'oauth' && !hasScope(principal.authorization, permission)
      ? { 'www-authenticate': `Bearer error="insufficient_scope", scope="${permission}"` }
      : {};
  return apiError(httpErrors.forbidden, {
    message: `Forbidden: requires the permission "${permissionName(permission)}" (${permission})`,
    headers,
  });
}

/** Decides if one of the scopes is the permission, or implies it. */
export function hasScope({ scopes }: OAuthAuthorization, permission: PermissionSlug): boolean {
  return scopes.some((scope) => {
    const held = findPermissionBySlug(scope);
    return held !== undefined && impliedPermissions(held.slug).includes(permission);
  });
}

/** The dependencies of the access check. */
export interface AccessServices {
  credentials: Credentials;
  lastUsed: LastUsed;
  /** Last uses of sessions. */
  lastSeen: LastUsed;
  /** Last uses of grants to OAuth clients. */
  lastUsedGrants: LastUsed;
  refusals: RefusalLog;
  cookies: CookieNames;
  /** Undefined: no limit. */
  rateLimiter: RateLimiter | undefined;
  clock: Clock;
}

/** Checks every request of the management API before any of its content is read. */
export function createAccessControl(services: AccessServices): AccessControl<Principal, Access> {
  const { refusals, rateLimiter } = services;
  /** Records a denial for lack of permission in the audit log, and returns it. */
  const noted = async (
    principal: Principal,
    request: RequestFacts,
    params: Readonly<Record<string, string>>,
    refusal: unknown,
  ): Promise<unknown> => {
    if (refusal instanceof ApiError && refusal.status === 403) {
      await refusals.note(principal, request, params, refusal);
    }
    return refusal;
  };
  return {
    async authorize(request, access, params, setHeaders) {
      if (access === 'public') return ANONYMOUS;
      const principal = await authenticate(request, services, setHeaders);
      try {
        // First, so that a stolen token cannot use up the rate limit from another address.
        checkAddress(principal, request.ip);
        noteUse(principal, services);
        await checkRate(rateLimiter, principal, setHeaders);
        checkAccess(principal, request, access, params);
      } catch (error) {
        throw await noted(principal, request, params, error);
      }
      return principal;
    },
    async reauthorize(request, access, params) {
      if (access === 'public') return ANONYMOUS;
      const principal = await authenticate(request, services);
      try {
        checkAddress(principal, request.ip);
        checkAccess(principal, request, access, params);
      } catch (error) {
        throw await noted(principal, request, params, error);
      }
      return principal;
    },
    refused: (principal, request, params, refusal) =>
      refusals.note(principal, request, params, refusal),
    isForApplications: (access) => 'oauth2' in describeAccess(access).schemes,
    describe: describeAccess,
  };
}

function describeAccess(access: Access): AccessDescription {
  if (access === 'public') return { needs: 'no authentication', schemes: {} };
  if (access === 'session') return { needs: 'a session', schemes: { session: [] } };
  return {
    needs: describePermission(access),
    schemes: { apiToken: [], session: [], ...oauthScheme(access) },
  };
}

/** OAuth clients can act in accounts and read what consent pages name. A user's own tokens are neither. */
function oauthScheme(access: Exclude<Access, 'public' | 'session'>): AccessDescription['schemes'] {
  if (access === 'authenticated') return { oauth2: [] };
  if (typeof access === 'string') return { oauth2: [access] };
  if ('anyAccount' in access) return { oauth2: [access.anyAccount] };
  return isAboutPeople(access.self) ? { oauth2: [access.self] } : {};
}

/** Returns true if a scope concerns the user. Other scopes apply to accounts only. */
function isAboutPeople(permission: PermissionSlug): boolean {
  return findPermissionBySlug(permission)?.scope === 'user';
}

function describePermission(access: Exclude<Access, 'public' | 'session'>): string {
  if (access === 'authenticated') return 'a valid credential';
  const name = (slug: PermissionSlug): string => `\`${slug}\` (${permissionName(slug)})`;
  if (typeof access === 'string') return name(access);
  return 'self' in access
    ? `${name(access.self)}, and a credential of a user`
    : `${name(access.anyAccount)} in any account`;
}

/** @throws ApiError 401, 400 for a malformed header, or 429 for an address with many wrong ones */
async function authenticate(
  request: RequestFacts,
  services: AccessServices,
  setHeaders?: (headers: Record<string, string>) => void,
): Promise<CredentialPrincipal> {
  if (usesSession(request.headers)) return authenticateSession(request, services);
  const bearer = parseBearer(request.headers.authorization);
  if (typeof bearer !== 'object') {
    throw apiError(httpErrors.malformedAuthorization, {
      message: 'Invalid request headers: Authorization must be "Bearer <API token>"',
    });
  }
  const principal = await services.credentials.resolve(bearer.token, request.ip);
  return checkCredential(principal, bearer.token, request, services, setHeaders);
}

/** @throws ApiError 401, or 429 for an address with many wrong credentials */
function checkCredential(
  principal: CredentialPrincipal | undefined,
  token: string,
  request: RequestFacts,
  { credentials, clock }: AccessServices,
  setHeaders?: (headers: Record<string, string>) => void,
): CredentialPrincipal {
  if (principal === undefined) {
    // The client of a deleted token is unknown, and the response contains no data, so that any page may read it.
    if (isWellFormedSecret(token, 'lkoat_')) setHeaders?.(READABLE_BY_EVERYBODY);
    throw credentials.refuse(request.ip, token);
  }
  if (principal.type === 'oauth') {
    // Also for an expired token: the page must be able to read that it needs a new one.
    setHeaders?.(corsHeaders(request.headers.origin, principal.authorization.corsOrigins));
  }
  if (!isUsable(principal, clock.now())) throw unauthenticated(token);
  return principal;
}

/**
 * Records the use of a credential.
 * @throws ApiError 401 for a session that was idle for too long
 */
function noteUse(
  principal: CredentialPrincipal,
  { lastUsed, lastSeen, lastUsedGrants, clock }: AccessServices,
): void {
  if (principal.type === 'oauth') lastUsedGrants.record(principal.authorization.grantId);
  else if (principal.type !== 'user') lastUsed.record(principal.token.id);
  else if (!useSession(lastSeen, principal.session, clock)) throw unauthenticated();
}

/**
 * Counts a request of a credential.
 * @param rateLimiter undefined: no limit
 * @param setHeaders receives the headers that describe the limit
 * @throws ApiError 971 if the credential has reached its limit
 */
export async function checkRate(
  rateLimiter: RateLimiter | undefined,
  principal: CredentialPrincipal,
  setHeaders: (headers: Record<string, string>) => void,
): Promise<void> {
  if (rateLimiter === undefined) return;
  const state = await rateLimiter.take(credentialId(principal));
  if (state.isExceeded) throw rateLimited(state);
  setHeaders(rateHeaders(state));
}

/** The sessions of a user share one limit. Each API token and each grant to a client has its own. */
function credentialId(principal: CredentialPrincipal): string {
  if (principal.type === 'oauth') return principal.authorization.grantId;
  return 'token' in principal ? principal.token.id : principal.user.id;
}

/** Browsers send cookies without being asked. The CSRF header proves that a page of this server sent the request. */
async function authenticateSession(
  request: RequestFacts,
  { credentials, cookies, clock }: AccessServices,
): Promise<SessionPrincipal> {
  const secret = readCookie(request.headers.cookie, cookies.session);
  if (secret === undefined) throw unauthenticated();
  const principal = await credentials.resolveSession(secret, request.ip);
  if (principal === undefined) throw credentials.refuse(request.ip);
  if (!isUsable(principal, clock.now())) throw unauthenticated();
  if (!isCsrfToken(request.headers[CSRF_HEADER], secret)) {
    throw apiError(httpErrors.forbidden, {
      message: `Forbidden: requests with a session cookie need its CSRF token in the header ${CSRF_HEADER}`,
    });
  }
  return principal;
}

/** @throws ApiError 403, or 404 for a malformed account id */
function checkAccess(
  principal: CredentialPrincipal,
  request: RequestFacts,
  access: Exclude<Access, 'public'>,
  params: Readonly<Record<string, string>>,
): void {
  const target = accountTarget(request, params);
  if (access === 'session') {
    if (principal.type !== 'user') throw forbiddenWithout('a person who is signed in');
  } else if (access === 'authenticated') {
    checkKind(principal, target);
  } else if (typeof access === 'string') {
    checkPermission(principal, access, target);
  } else if ('self' in access) {
    const user = userOf(principal);
    if (user === undefined) throw userRequired(access.self);
    if (!holds(principal, access.self, { userId: user.id })) {
      throw forbidden(access.self, isAboutPeople(access.self) ? principal : undefined);
    }
  } else {
    const { anyAccount: permission } = access;
    const isHeld = accountsOf(principal).some((accountId) =>
      holds(principal, permission, { accountId }),
    );
    if (!isHeld) throw forbidden(permission, principal);
  }
}

/** Public tools recognize a token of an account by the code of `GET /user`. */
function userRequired(permission: PermissionSlug): ApiError {
  return permission === 'user-details.read'
    ? apiError(iamErrors.notAUser)
    : forbiddenWithout('a credential of a user');
}

function forbiddenWithout(what: string): ApiError {
  return apiError(httpErrors.forbidden, { message: `Forbidden: requires ${what}` });
}

/** @throws ApiError 403 */
function checkAddress(principal: CredentialPrincipal, ip: string): void {
  const requestIp = tokenOf(principal)?.requestIp;
  if (requestIp !== undefined && !isAddressAllowed(requestIp, ip)) {
    throw apiError(httpErrors.forbidden, {
      message: 'Forbidden: this token does not allow requests from your IP address',
    });
  }
}

/** Returns the account and the gateway in the path, which routes call `account_id` and `gateway_id`. */
function accountTarget(
  request: RequestFacts,
  params: Readonly<Record<string, string>>,
): AccountResource | undefined {
  const { account_id: accountId, gateway_id: gatewayId } = params;
  if (accountId === undefined) return undefined;
  if (!isId(accountId)) throw notFound(request.path);
  return gatewayId === undefined ? { accountId } : { accountId, gatewayId };
}

/** A path with an account requires a credential of this account. */
function checkKind(principal: CredentialPrincipal, target: AccountResource | undefined): void {
  const isAtHome =
    target === undefined ||
    (principal.type === 'account_token' && principal.accountId === target.accountId);
  if (!isAtHome) throw apiError(httpErrors.forbidden);
}

/** The response does not reveal if another account exists. */
function checkPermission(
  principal: CredentialPrincipal,
  permission: PermissionSlug,
  target: AccountResource | undefined,
): void {
  if (target === undefined) throw new Error(`${permission} is demanded, and on no account`);
  if (holds(principal, permission, target)) return;
  const membership = userOf(principal)?.memberships.find(
    ({ accountId }) => accountId === target.accountId,
  );
  // An OAuth client must not learn about other accounts of the user.
  const isInView = accountsOf(principal).includes(target.accountId);
  if (!isInView || membership?.lacksSecondFactor !== true) throw forbidden(permission, principal);
  throw apiError(httpErrors.forbidden, {
    message:
      'Forbidden: this account requires two-factor authentication. Set up a second factor first',
  });
}
