import type { ErrorDefinition } from '../http/errors.ts';
import { parseBearer } from '../iam/authorize.ts';
import { isUsable } from '../iam/credentials.ts';
import { type CredentialPrincipal, holds, tokenOf } from '../iam/principal.ts';
import { isAddressAllowed } from '../iam/request-ip.ts';
import { findPageCaller } from '../iam/sessions/presented-session.ts';
import { isId } from '../lib/ids.ts';
import type { Approach } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { GATEWAY_ID_PATTERN } from './gateways/gateway-schemas.ts';
import { DEFAULT_GATEWAY_ID, type Gateway } from './gateways/gateway-store.ts';

const GATEWAY_ID = new RegExp(GATEWAY_ID_PATTERN);

/** A request that goes through, and on whose behalf. */
export interface Admission {
  gateway: Gateway;
  /** Undefined: an unauthenticated caller of an unauthenticated gateway. */
  caller: CredentialPrincipal | undefined;
}

/**
 * Decides whether a request goes through: the table of the seed's section 3.4. With authentication
 * on, an API token, an access token or a session with AI Gateway Run is demanded; with authentication off,
 * everybody passes, and a valid token merely tells who is calling. What is refused here leaves no
 * trace: no log row, no upstream call, and no word on whether the account or the gateway exists.
 * @returns the admission, or the error to refuse with
 */
export async function authenticate(
  services: GatewayServices,
  approach: Approach,
): Promise<Admission | ErrorDefinition> {
  const { accountId, gatewayId } = approach;
  const caller = await identify(services, approach);
  if (!isId(accountId) || !GATEWAY_ID.test(gatewayId)) {
    // Nothing can have that name: it is not even looked for.
    return caller === undefined ? gatewayErrors.unauthorized : gatewayErrors.noSuchGateway;
  }
  const found = services.directory.find(accountId, gatewayId);
  let gateway = found instanceof Promise ? await found : found;
  if (gateway === undefined) {
    if (caller === undefined) return gatewayErrors.unauthorized;
    if (gatewayId !== DEFAULT_GATEWAY_ID) return gatewayErrors.noSuchGateway;
    gateway = await services.directory.createDefault(accountId);
  }
  if (gateway.authentication && caller === undefined) return gatewayErrors.unauthorized;
  return { gateway, caller };
}

/** The caller, if its token or session is valid now, from that address, and holds Run on that gateway. */
async function identify(
  services: GatewayServices,
  approach: Approach,
): Promise<CredentialPrincipal | undefined> {
  const { credentials, clock } = services;
  const { credential, ofPage, accountId, gatewayId, ip } = approach;
  if (ofPage !== undefined) {
    const person = await findPageCaller(services.sessions, { headers: ofPage, ip });
    const mayRun = person && holds(person, 'ai-gateway.run', { accountId, gatewayId });
    return mayRun === true ? person : undefined;
  }
  const bearer = parseBearer(credential);
  if (bearer === undefined || bearer === 'malformed') return undefined;
  const resolved = credentials.resolve(bearer.token, ip);
  const principal = resolved instanceof Promise ? await resolved : resolved;
  if (principal === undefined) credentials.noteWrong(ip);
  if (principal === undefined || !isUsable(principal, clock.now())) return undefined;
  const token = tokenOf(principal);
  if (token?.requestIp !== undefined && !isAddressAllowed(token.requestIp, ip)) return undefined;
  if (!holds(principal, 'ai-gateway.run', { accountId, gatewayId })) return undefined;
  noteUse(services, principal);
  return principal;
}

function noteUse(
  { lastUsed, lastUsedGrants }: GatewayServices,
  principal: CredentialPrincipal,
): void {
  const token = tokenOf(principal);
  if (token !== undefined) lastUsed.record(token.id);
  if (principal.type === 'oauth') lastUsedGrants.record(principal.authorization.grantId);
}
