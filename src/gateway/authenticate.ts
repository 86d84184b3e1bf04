import type { ErrorDefinition } from '../http/errors.ts';
import { parseBearer } from '../iam/authorize.ts';
import { isUsable } from '../iam/credentials.ts';
import { type CredentialPrincipal, holds, tokenOf } from '../iam/principal.ts';
import { isAddressAllowed } from '../iam/request-ip.ts';
import { findPageCaller } from '../iam/sessions/presented-session.ts';
import { isId } from '../lib/ids.ts';
import { type MaybePromise, whenKnown } from '../lib/maybe-promise.ts';
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
 * Decides whether a request goes through: the table of the seed's section 3.4. With authentication
 * on, an API token, an access token or a session with AI Gateway Run is demanded; with authentication off,
 * everybody passes, and a valid token merely tells who is calling. What is refused here leaves no
 * trace: no log row, no upstream call, and no word on whether the account or the gateway exists.
 * @returns the admission, or the error to refuse with; without a promise from memory
 */
export function authenticate(
  services: GatewayServices,
  approach: Approach,
): MaybePromise<Admission | ErrorDefinition> {
  return whenKnown(identify(services, approach), (caller) =>
    admissionOf(services, approach, caller),
  );
}

function admissionOf(
  services: GatewayServices,
  { accountId, gatewayId }: Approach,
  caller: CredentialPrincipal | undefined,
): MaybePromise<Admission | ErrorDefinition> {
  if (!isId(accountId) || !GATEWAY_ID.test(gatewayId)) {
    // Nothing can have that name: it is not even looked for.
    return caller === undefined ? gatewayErrors.unauthorized : gatewayErrors.noSuchGateway;
  }
  const admit = (gateway: Gateway): Admission | ErrorDefinition =>
    gateway.authentication && caller === undefined
      ? gatewayErrors.unauthorized
      : { gateway, caller };
  return whenKnown(services.directory.find(accountId, gatewayId), (gateway) => {
    if (gateway !== undefined) return admit(gateway);
    if (caller === undefined) return gatewayErrors.unauthorized;
    if (gatewayId !== DEFAULT_GATEWAY_ID) return gatewayErrors.noSuchGateway;
    return services.directory.createDefault(accountId).then(admit);
  });
}

/** The caller, if its token or session is valid now, from that address, and holds Run on that gateway. */
function identify(
  services: GatewayServices,
  approach: Approach,
): MaybePromise<CredentialPrincipal | undefined> {
  const { credential, ofPage, accountId, gatewayId, ip } = approach;
  if (ofPage !== undefined) {
    return findPageCaller(services.sessions, { headers: ofPage, ip }).then((person) => {
      const mayRun = person && holds(person, 'ai-gateway.run', { accountId, gatewayId });
      return mayRun === true ? person : undefined;
    });
  }
  const bearer = parseBearer(credential);
  if (bearer === undefined || bearer === 'malformed') return undefined;
  return whenKnown(services.credentials.resolve(bearer.token, ip), (principal) =>
    callerOf(services, approach, principal),
  );
}

/** The owner of a token, if it may be used here and now. */
function callerOf(
  services: GatewayServices,
  { accountId, gatewayId, ip }: Approach,
  principal: CredentialPrincipal | undefined,
): CredentialPrincipal | undefined {
  const { credentials, clock } = services;
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
