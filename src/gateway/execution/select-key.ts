import { GatewayError, RETRYABLE } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { GatewayLimits } from '../limits/gateway-limits.ts';
import { findStoredKey } from '../routing/provider-registry.ts';
import { holdsOwnSecret } from '../http-headers.ts';
import type { UpstreamProvider } from '../providers/provider.ts';
import { rateLimitError } from '../limits/limit-errors.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import { type UpstreamRoute, isLocal, type ProviderStep } from '../gateway-request.ts';
import type { StoredKey } from '../../gateway-admin/snapshot.ts';

/** The key of a provider call. Undefined: the client's own key, or none. */
export interface ProviderKey {
  secret: string | undefined;
}

/** A selected key, not yet counted against its limit; see {@link acquireProviderKey}. */
export type SelectedKey = StoredKey | ProviderKey;

const NO_KEY: ProviderKey = { secret: undefined };

const OWN_SECRET_IN_PATH = {
  message: 'Bad format: the URL must not contain a credential of this server',
  ...RETRYABLE,
};

/**
 * Selects the key of a call: the stored key that the request names, or else the client's own, or else the default key
 * of the gateway, or else the operator's. Only clients with a valid credential use keys of this server; the owner of a
 * gateway can extend that to all clients for the keys of the gateway.
 * @throws GatewayError 2026, 2040, 2041 or 2042
 */
export function selectProviderKey(
  { gateway, caller }: AdmittedCaller,
  { route, options, rawHeaders, bringsCredentials }: ProviderStep,
): SelectedKey {
  if (isLocal(route)) return NO_KEY;
  const { provider, endpoint } = route;
  // Providers log request URLs.
  if (holdsOwnSecret(endpoint.path)) {
    throw new GatewayError(gatewayErrors.badPath, OWN_SECRET_IN_PATH);
  }
  const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
  const alias = options.byokAlias;
  const isOwn = bringsCredentials && bringsKey(rawHeaders, provider, endpoint.path);
  if (alias === undefined && isOwn) return NO_KEY;
  if (mayUseStored) {
    const stored = findStoredKey(gateway, provider, alias);
    if (stored !== undefined) return forOrigin(stored, route);
  }
  if (alias !== undefined) throw new GatewayError(gatewayErrors.noStoredKey, RETRYABLE);
  if (gateway.isByokOnly) {
    if (provider.needsNoKey === true) return NO_KEY;
    throw new GatewayError(gatewayErrors.ownKeyRequired, RETRYABLE);
  }
  return caller === undefined || provider.apiKey === undefined
    ? NO_KEY
    : { secret: provider.apiKey };
}

/** Clients may choose the host, and must not send a stored key to a host of their choice. */
function forOrigin(key: StoredKey, { provider, endpoint }: UpstreamRoute): StoredKey {
  const isAllowed =
    key.origin === undefined ? provider.keyOrigin === undefined : key.origin === endpoint.origin;
  if (!isAllowed) throw new GatewayError(gatewayErrors.keyElsewhere, RETRYABLE);
  return key;
}

/** Returns true if a request contains a credential for the provider, and not one of this server. */
function bringsKey(
  rawHeaders: readonly string[],
  provider: UpstreamProvider,
  path: string,
): boolean {
  if (provider.bringsKey?.(path) === true) return true;
  return rawHeaders.some(
    (name, index) =>
      index % 2 === 0 &&
      provider.credentialHeaders.includes(name.toLowerCase()) &&
      !holdsOwnSecret(rawHeaders[index + 1] ?? ''),
  );
}

/** Returns true for a stored key with a limit of its own. */
export function isRateLimited(key: SelectedKey): key is StoredKey {
  return 'alias' in key && key.rateLimit !== undefined;
}

/**
 * Counts one call against the limit of a stored key.
 * @throws GatewayError 2003 if the limit is reached
 */
export async function acquireProviderKey(limits: GatewayLimits, key: StoredKey): Promise<void> {
  const { isTaken, resetMs } = await limits.takeKey(key);
  if (!isTaken) throw rateLimitError(resetMs);
}
