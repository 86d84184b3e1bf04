import { GATEWAY_ID_PATTERN } from '../../iam/gateway-operations.ts';
import { type ErrorDefinition, httpErrors, unavailable } from '../../http/errors.ts';
import { AuthError, authenticateRequest, recordUse } from '../../iam/access/authenticate.ts';
import { hasScope } from '../../iam/access/authorize.ts';
import { permissionName } from '../../iam/permissions.ts';
import { type CredentialPrincipal, holds } from '../../iam/principal.ts';
import type { LastUsed } from '../../iam/last-used.ts';
import type { SessionServices } from '../../iam/sessions/presented-session.ts';
import type { Clock } from '../../lib/clock.ts';
import { isId } from '../../lib/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import type { AdmissionRequest } from '../gateway-request.ts';
import { GatewayError, asGatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { DEFAULT_GATEWAY_ID, type GatewaySnapshots } from '../../gateway-admin/snapshot.ts';

/** The dependencies of admission. */
export interface AdmissionServices {
  database: Database;
  clock: Clock;
  /** Sessions of signed-in users. */
  sessions: SessionServices;
  /** Use of sessions. */
  lastSeen: LastUsed;
  /** Use of API tokens. */
  lastUsed: LastUsed;
  /** Use of OAuth grants. */
  lastUsedGrants: LastUsed;
  gateways: GatewaySnapshots;
}

const PERMISSION = 'ai-gateway.run';

/** The refusal of an OAuth access token without the scope (RFC 6750 section 3.1). */
const insufficientScope: ErrorDefinition = {
  ...httpErrors.forbidden,
  message: `Forbidden: requires the permission "${permissionName(PERMISSION)}" (${PERMISSION})`,
};

const GATEWAY_ID = new RegExp(GATEWAY_ID_PATTERN);

/**
 * Decides if a request is admitted (specification section 3.4). A gateway with authentication requires an API token, an
 * access token or a session with AI Gateway Run. A gateway without it admits every request, and a valid token
 * identifies the caller. A refusal creates no log row and no upstream call, and does not reveal if the account or the
 * gateway exists.
 * @throws GatewayError 2009 or 10000 without a credential for the gateway, 2001 if the gateway does not exist, 1001 if the
 *   database is unavailable and the credential is not in memory
 */
export async function admit(
  services: AdmissionServices,
  request: AdmissionRequest,
): Promise<AdmittedCaller> {
  try {
    return await authenticate(services, request);
  } catch (error) {
    const trouble = services.database.troubleOf(error);
    if (trouble === undefined) throw error;
    throw asGatewayError(unavailable(trouble.reason, error, trouble.retryAfterSeconds));
  }
}

async function authenticate(
  services: AdmissionServices,
  request: AdmissionRequest,
): Promise<AdmittedCaller> {
  const { caller, refusal } = await identify(services, request);
  const { accountId, gatewayId } = request;
  const noSuchGateway = (): GatewayError =>
    new GatewayError(refusal ?? gatewayErrors.noSuchGateway);
  if (!isId(accountId) || !GATEWAY_ID.test(gatewayId)) throw noSuchGateway();
  let gateway = await services.gateways.find(accountId, gatewayId);
  if (gateway === undefined) {
    if (refusal !== undefined || gatewayId !== DEFAULT_GATEWAY_ID) throw noSuchGateway();
    gateway = await services.gateways.createDefault(accountId);
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

async function identify(services: AdmissionServices, request: AdmissionRequest): Promise<Identity> {
  const { credential, ofPage, accountId, gatewayId, ip } = request;
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
