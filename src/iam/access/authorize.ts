import { READABLE_BY_EVERYBODY, corsHeaders } from '../../http/cors.ts';
import { ApiError, apiError, httpErrors, notFound } from '../../http/errors.ts';
import type { AccessControl } from '../../http/register-routes.ts';
import type { AccessDescription } from '../../http/route-schema.ts';
import type { RequestFacts } from '../../http/route.ts';
import { isId } from '../../lib/ids.ts';
import { isWellFormedSecret } from '../../lib/secrets.ts';
import type { RefusalLog } from '../audit/refusal-log.ts';
import { unauthenticated } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import {
  type PermissionSlug,
  findPermissionBySlug,
  impliedPermissions,
  permissionName,
} from '../permissions.ts';
import type { AccountResource } from '../policy.ts';
import {
  ANONYMOUS,
  type CredentialPrincipal,
  type OAuthAuthorization,
  type Principal,
  accountsOf,
  holds,
  userOf,
} from '../principal.ts';
import { type RateLimiter, rateHeaders, rateLimited } from '../rate-limiter.ts';
import type { Access } from '../route.ts';
import { CSRF_HEADER } from '../sessions/session-cookie.ts';
import {
  AuthError,
  type AuthServices,
  type UseServices,
  authenticateRequest,
  recordUse,
} from './authenticate.ts';
import { usesSession } from './presented-credential.ts';

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
export interface AccessServices extends AuthServices, UseServices {
  refusals: RefusalLog;
  /** Undefined: no limit. */
  rateLimiter: RateLimiter | undefined;
}

type SetHeaders = (headers: Record<string, string>) => void;

/** Checks every request of the management API before any of its content is read. */
export function createAccessControl(services: AccessServices): AccessControl<Principal, Access> {
  const { refusals, rateLimiter } = services;
  /** Records a denial for lack of permission in the audit log, and returns the error for the client. */
  const toRefusal = async (
    thrown: unknown,
    principal: Principal | undefined,
    request: RequestFacts,
    params: Readonly<Record<string, string>>,
  ): Promise<unknown> => {
    const refusal = thrown instanceof AuthError ? authenticationError(thrown) : thrown;
    if (refusal instanceof ApiError && refusal.status === 403 && principal !== undefined) {
      await refusals.note(principal, request, params, refusal);
    }
    return refusal;
  };
  return {
    async authorize(request, access, params, setHeaders) {
      if (access === 'public') return ANONYMOUS;
      let principal: CredentialPrincipal | undefined;
      try {
        principal = await authenticate(services, request, setHeaders);
        recordUse(services, principal);
        await checkRate(rateLimiter, principal, setHeaders);
        checkAccess(principal, request, access, params);
        return principal;
      } catch (error) {
        throw await toRefusal(error, principal ?? ownerOf(error), request, params);
      }
    },
    async reauthorize(request, access, params) {
      if (access === 'public') return ANONYMOUS;
      let principal: CredentialPrincipal | undefined;
      try {
        principal = await authenticate(services, request);
        checkAccess(principal, request, access, params);
        return principal;
      } catch (error) {
        throw await toRefusal(error, principal ?? ownerOf(error), request, params);
      }
    },
    refused: (principal, request, params, refusal) =>
      refusals.note(principal, request, params, refusal),
    isForApplications: (access) => 'oauth2' in describeAccess(access).schemes,
    describe: describeAccess,
  };
}

function ownerOf(error: unknown): CredentialPrincipal | undefined {
  return error instanceof AuthError ? error.principal : undefined;
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

/** @throws AuthError without a valid credential */
async function authenticate(
  services: AccessServices,
  { headers, ip }: RequestFacts,
  setHeaders?: SetHeaders,
): Promise<CredentialPrincipal> {
  const presented = usesSession(headers)
    ? { session: headers, ip }
    : { authorization: headers.authorization, ip };
  try {
    const principal = await authenticateRequest(services, presented);
    setHeaders?.(originHeaders(headers.origin, principal));
    return principal;
  } catch (error) {
    if (error instanceof AuthError) {
      const { principal, token } = error;
      // The page must be able to read that its token has expired. The client of a deleted token is unknown, and the response
      // contains no data, so that any page may read it.
      if (principal !== undefined) setHeaders?.(originHeaders(headers.origin, principal));
      else if (isWellFormedSecret(token ?? '', 'lkoat_')) setHeaders?.(READABLE_BY_EVERYBODY);
    }
    throw error;
  }
}

function originHeaders(
  origin: string | undefined,
  principal: CredentialPrincipal,
): Record<string, string> {
  return principal.type === 'oauth' ? corsHeaders(origin, principal.authorization.corsOrigins) : {};
}

/** Returns the response of the management API to a request that is not authenticated. */
function authenticationError({ reason, token, rateLimited: limited }: AuthError): ApiError {
  switch (reason) {
    case 'malformed':
      return apiError(httpErrors.malformedAuthorization, {
        message: 'Invalid request headers: Authorization must be "Bearer <API token>"',
      });
    case 'wrong_address':
      return apiError(httpErrors.forbidden, {
        message: 'Forbidden: this token does not allow requests from your IP address',
      });
    case 'missing_csrf_token':
      return apiError(httpErrors.forbidden, {
        message: `Forbidden: requests with a session cookie need its CSRF token in the header ${CSRF_HEADER}`,
      });
    case 'missing':
    case 'unknown':
    case 'unusable':
      return limited ?? unauthenticated(token);
  }
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
