import { type CredentialPrincipal, tokenOf, userOf } from '../iam/principal.ts';
import type { GatewaySnapshot } from '../gateway-admin/snapshot.ts';

/** The gateway of an admitted request, and its client. */
export interface AdmittedCaller {
  gateway: GatewaySnapshot;
  /** Undefined: an unauthenticated client of a gateway without authentication. */
  caller: CredentialPrincipal | undefined;
}

/**
 * Decides if a request counts against the separate limits of unauthenticated clients, so that they cannot
 * use up the limits of others. A client that may use keys of this server costs the owner money, and counts
 * against the shared limits.
 */
export function countsApart({ gateway, caller }: AdmittedCaller): boolean {
  return caller === undefined && !gateway.allowStoredKeysUnauthenticated;
}

// Parsing blocks the event loop for about 30 ms per megabyte.
const MAX_PARSED_BYTES = 32 * 1024 * 1024;
const MAX_PARSED_BYTES_UNAUTHENTICATED = 1024 * 1024;

/** Returns the size of the largest body that the gateway parses for a client. It forwards larger ones without parsing. */
export function maxParsedBytes({ caller }: AdmittedCaller): number {
  return caller === undefined ? MAX_PARSED_BYTES_UNAUTHENTICATED : MAX_PARSED_BYTES;
}

/** The ids of a client in the log and in spend rules. */
export interface CallerIds {
  /** The API token, or the OAuth client that acts for a user, as in the audit log. */
  tokenId: string | null;
  userId: string | null;
  oauthClientId: string | null;
}

const NO_CALLER: CallerIds = { tokenId: null, userId: null, oauthClientId: null };

/** Returns the ids of a client; all are null for an unauthenticated one. */
export function callerIds(caller: CredentialPrincipal | undefined): CallerIds {
  if (caller === undefined) return NO_CALLER;
  const userId = userOf(caller)?.id ?? null;
  if (caller.type !== 'oauth') {
    return { tokenId: tokenOf(caller)?.id ?? null, userId, oauthClientId: null };
  }
  const { clientId } = caller.authorization;
  return { tokenId: clientId, userId, oauthClientId: clientId };
}
