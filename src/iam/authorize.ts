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

// A mistyped token of this server is one as well: it must not be ignored.
const OWN_TOKEN = /^lk[a-z]{2,3}_/;

/**
 * The token of an `Authorization: Bearer` header.
 * @returns undefined when there is no header, 'malformed' when it is not of that form
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
 * The refusal of a caller without the permission; it names what is missing. An OAuth client whose
 * access token is not for it at all is told which scope to ask for (RFC 6750 section 3.1); where the
 * person is not allowed to, or has not picked the account, no scope would help.
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

/** What the check of a request works with. */
export interface AccessServices {
  credentials: Credentials;
  lastUsed: LastUsed;
  /** Of sessions. */
  lastSeen: LastUsed;
  /** Of what people have let OAuth clients do. */
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
  /** Writes down a refusal for lack of permission, and gives it back. */
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
        // First of all: who has stolen a token must not be able to use up its requests from elsewhere.
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

/** OAuth clients act in accounts and read what consent pages name; the person's own tokens are neither. */
function oauthScheme(access: Exclude<Access, 'public' | 'session'>): AccessDescription['schemes'] {
  if (access === 'authenticated') return { oauth2: [] };
  if (typeof access === 'string') return { oauth2: [access] };
  if ('anyAccount' in access) return { oauth2: [access.anyAccount] };
  return isAboutPeople(access.self) ? { oauth2: [access.self] } : {};
}

/** Whether a scope reaches what is the person's own; others count in accounts alone. */
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
    // Nobody knows any more whose token it was, and the answer is the same for everybody.
    if (isWellFormedSecret(token, 'lkoat_')) setHeaders?.(READABLE_BY_EVERYBODY);
    throw credentials.refuse(request.ip, token);
  }
  if (principal.type === 'oauth') {
    // Also when the token has expired: the page must learn that it has to get another one.
    setHeaders?.(corsHeaders(request.headers.origin, principal.authorization.corsOrigins));
  }
  if (!isUsable(principal, clock.now())) throw unauthenticated(token);
  return principal;
}

/**
 * Notes that a credential is used now.
 * @throws ApiError 401 for a session that has ended for being idle
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
 * @throws ApiError 971 when the credential has used up its requests
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

/** A person's sessions share one limit; each API token and each grant of a client has its own. */
function credentialId(principal: CredentialPrincipal): string {
  if (principal.type === 'oauth') return principal.authorization.grantId;
  return 'token' in principal ? principal.token.id : principal.user.id;
}

/** A browser sends cookies on its own; the header shows that a page of ours sent the request. */
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

/** @throws ApiError 403, or 404 for an account id that cannot be one */
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

/** What the path names: routes call these parameters `account_id` and `gateway_id`. */
function accountTarget(
  request: RequestFacts,
  params: Readonly<Record<string, string>>,
): AccountResource | undefined {
  const { account_id: accountId, gateway_id: gatewayId } = params;
  if (accountId === undefined) return undefined;
  if (!isId(accountId)) throw notFound(request.path);
  return gatewayId === undefined ? { accountId } : { accountId, gatewayId };
}

/** Where a path names an account, only a credential of that very account is at home. */
function checkKind(principal: CredentialPrincipal, target: AccountResource | undefined): void {
  const isAtHome =
    target === undefined ||
    (principal.type === 'account_token' && principal.accountId === target.accountId);
  if (!isAtHome) throw apiError(httpErrors.forbidden);
}

/** Another account's path answers the same whether that account exists or not. */
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
  // Where else the person is a member is no business of an OAuth client.
  const isInView = accountsOf(principal).includes(target.accountId);
  if (!isInView || membership?.lacksSecondFactor !== true) throw forbidden(permission, principal);
  throw apiError(httpErrors.forbidden, {
    message:
      'Forbidden: this account requires two-factor authentication. Set up a second factor first',
  });
}
