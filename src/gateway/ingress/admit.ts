import { type ErrorDefinition, httpErrors, unavailable } from '../../http/errors.ts';
import { AuthError, authenticateRequest, recordUse } from '../../iam/access/authenticate.ts';
import { hasScope } from '../../iam/access/authorize.ts';
import { permissionName } from '../../iam/permissions.ts';
import { type CredentialPrincipal, holds } from '../../iam/principal.ts';
import { isId } from '../../lib/ids.ts';
import type { Approach } from '../gateway-request.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { GATEWAY_ID_PATTERN } from '../gateways/gateway-schemas.ts';
import { DEFAULT_GATEWAY_ID, type Gateway } from '../gateways/gateway-store.ts';

const PERMISSION = 'ai-gateway.run';

/** The refusal of an OAuth access token without the scope (RFC 6750 section 3.1). */
const insufficientScope: ErrorDefinition = {
  ...httpErrors.forbidden,
  message: `Forbidden: requires the permission "${permissionName(PERMISSION)}" (${PERMISSION})`,
};

const GATEWAY_ID = new RegExp(GATEWAY_ID_PATTERN);

/** A request that goes through, and on whose behalf. */
export interface Admission {
  gateway: Gateway;
  /** Undefined: an unauthenticated caller of an unauthenticated gateway. */
  caller: CredentialPrincipal | undefined;
}

/**
 * Decides if a request counts against the separate limits of unauthenticated clients, so that they cannot
 * use up the limits of others. A client that may use keys of this server costs the owner money, and counts
 * against the shared limits.
 */
export function countsApart({ gateway, caller }: Admission): boolean {
  return caller === undefined && !gateway.allowStoredKeysUnauthenticated;
}

// Parsing blocks the event loop for about 30 ms per megabyte.
const MAX_PARSED_BYTES = 32 * 1024 * 1024;
const MAX_PARSED_BYTES_UNAUTHENTICATED = 1024 * 1024;

/** The largest body that this process parses for a caller; it passes on larger ones unread. */
export function maxParsedBytes({ caller }: Admission): number {
  return caller === undefined ? MAX_PARSED_BYTES_UNAUTHENTICATED : MAX_PARSED_BYTES;
}

/**
 * Decides if a request is admitted (specification section 3.4). A gateway with authentication requires an API token, an
 * access token or a session with AI Gateway Run. A gateway without it admits every request, and a valid token
 * identifies the caller. A refusal creates no log row and no upstream call, and does not reveal if the account or the
 * gateway exists.
 * @throws GatewayError 2009 or 10000 without a credential for the gateway, 2001 if the gateway does not exist, 1001 if the
 *   database is unavailable and the credential is not in memory
 */
export async function admit(services: GatewayServices, approach: Approach): Promise<Admission> {
  try {
    return await authenticate(services, approach);
  } catch (error) {
    const trouble = services.database.troubleOf(error);
    if (trouble === undefined) throw error;
    throw asGatewayError(unavailable(trouble.reason, error, trouble.retryAfterSeconds));
  }
}

async function authenticate(services: GatewayServices, approach: Approach): Promise<Admission> {
  const { caller, refusal } = await identify(services, approach);
  const { accountId, gatewayId } = approach;
  const noSuchGateway = (): GatewayError =>
    new GatewayError(refusal ?? gatewayErrors.noSuchGateway);
  if (!isId(accountId) || !GATEWAY_ID.test(gatewayId)) throw noSuchGateway();
  let gateway = await services.directory.find(accountId, gatewayId);
  if (gateway === undefined) {
    if (refusal !== undefined || gatewayId !== DEFAULT_GATEWAY_ID) throw noSuchGateway();
    gateway = await services.directory.createDefault(accountId);
  }
  if (gateway.authentication && refusal !== undefined) throw new GatewayError(refusal);
  return { gateway, caller };
}

/** The client of a request. */
interface Identity {
  /** Its token or session is valid now, from that address, and has the permission on that gateway. */
  caller?: CredentialPrincipal;
  /** Without such a credential: the error for a gateway that requires authentication. */
  refusal?: ErrorDefinition;
}

const UNAUTHORIZED: Identity = { refusal: gatewayErrors.unauthorized };

async function identify(services: GatewayServices, approach: Approach): Promise<Identity> {
  const { credential, ofPage, accountId, gatewayId, ip } = approach;
  if (credential === undefined && ofPage === undefined) return UNAUTHORIZED;
  try {
    const presented = { authorization: credential, session: ofPage, ip };
    const caller = await authenticateRequest(services.sessions, presented);
    if (!holds(caller, PERMISSION, { accountId, gatewayId })) return refusalOf(caller);
    recordUse(services, caller);
    return { caller };
  } catch (error) {
    if (error instanceof AuthError) return UNAUTHORIZED;
    throw error;
  }
}

function refusalOf(caller: CredentialPrincipal): Identity {
  const lacksScope = caller.type === 'oauth' && !hasScope(caller.authorization, PERMISSION);
  return lacksScope ? { refusal: insufficientScope } : UNAUTHORIZED;
}
