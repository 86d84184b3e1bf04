import { type ApiError, apiError, httpErrors, notFound } from '../http/errors.ts';
import type { AccessControl } from '../http/register-routes.ts';
import type { RequestFacts } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import { type Credentials, isUsable } from './credentials.ts';
import type { LastUsed } from './api-tokens/last-used.ts';
import { type PermissionSlug, permissionName } from './permissions.ts';
import { type Target, isAllowed } from './policy.ts';
import type { Principal } from './principal.ts';
import { isAddressAllowed } from './request-ip.ts';
import type { Access } from './route.ts';

// RFC 6750 section 2.1: the b64token syntax.
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

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

/** The refusal of a missing, unknown, expired, disabled or revoked credential. */
export function unauthenticated(): ApiError {
  return apiError(httpErrors.unauthenticated, { headers: { 'www-authenticate': 'Bearer' } });
}

/** The refusal of a caller without the permission; it names what is missing. */
export function forbidden(permission: PermissionSlug): ApiError {
  return apiError(httpErrors.forbidden, {
    message: `Forbidden: this needs the permission "${permissionName(permission)}" (${permission})`,
  });
}

/** Checks every request of the management API before any of its content is read. */
export function createAccessControl(
  credentials: Credentials,
  lastUsed: LastUsed,
  clock: Clock,
): AccessControl<Principal, Access> {
  return {
    async authorize(request, access, params) {
      const principal = await authenticate(request, credentials, clock);
      lastUsed.record(principal.tokenId);
      checkAddress(principal, request.ip);
      const target = targetOf(request, params);
      checkAccount(principal, target, access);
      if (access !== 'authenticated') checkPermission(principal, access, target);
      return principal;
    },
    describe: (access) =>
      access === 'authenticated'
        ? 'a valid credential'
        : `\`${access}\` (${permissionName(access)})`,
  };
}

async function authenticate(
  request: RequestFacts,
  credentials: Credentials,
  clock: Clock,
): Promise<Principal> {
  const bearer = parseBearer(request.headers.authorization);
  if (bearer === undefined) throw unauthenticated();
  if (bearer === 'malformed') {
    throw apiError(httpErrors.malformedAuthorization, {
      message: 'Invalid request headers: Authorization must be "Bearer <API token>"',
    });
  }
  const principal = await credentials.resolve(bearer.token);
  if (principal === undefined || !isUsable(principal, clock.now())) throw unauthenticated();
  return principal;
}

function checkAddress(principal: Principal, ip: string): void {
  if (principal.requestIp !== undefined && !isAddressAllowed(principal.requestIp, ip)) {
    throw apiError(httpErrors.forbidden, {
      message: 'Forbidden: this token may not be used from your address',
    });
  }
}

/** What the path names: routes call these parameters `account_id` and `gateway_id`. */
function targetOf(
  request: RequestFacts,
  params: Readonly<Record<string, string>>,
): Target | undefined {
  const { account_id: accountId, gateway_id: gatewayId } = params;
  if (accountId === undefined) return undefined;
  if (!isId(accountId)) throw notFound(request.path);
  return gatewayId === undefined ? { accountId } : { accountId, gatewayId };
}

/** Another account's path answers the same whether that account exists or not. */
function checkAccount(principal: Principal, target: Target | undefined, access: Access): void {
  if (target === undefined || target.accountId === principal.accountId) return;
  throw access === 'authenticated' ? apiError(httpErrors.forbidden) : forbidden(access);
}

function checkPermission(
  principal: Principal,
  permission: PermissionSlug,
  target: Target | undefined,
): void {
  const on = target ?? { accountId: principal.accountId };
  if (!isAllowed(principal.policies, permission, on)) throw forbidden(permission);
}
