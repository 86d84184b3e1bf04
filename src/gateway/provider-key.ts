import type { ErrorDefinition } from '../http/errors.ts';
import type { Admission } from './authenticate.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { holdsOwnSecret } from './headers.ts';
import type { StoredKey } from './keys/key-directory.ts';
import type { UpstreamProvider } from './providers/provider.ts';
import { isLocal } from './resolve-route.ts';
import { type StepRefusal, limitReached } from './step-refusal.ts';
import type { Step } from './step.ts';

/** The key of a provider call. Undefined: the client's own key, or none. */
export interface ProviderKey {
  secret: string | undefined;
}

/** A selected key, not yet counted against its limit; see {@link lendKey}. */
export type ChosenKey = StoredKey | ProviderKey;

const NO_KEY: ProviderKey = { secret: undefined };

const OWN_SECRET_IN_PATH: ErrorDefinition = {
  ...gatewayErrors.badPath,
  message: 'Bad format: the URL must not contain a credential of this server',
};

/**
 * Selects the key of a call: the stored key that the request names, or else the client's own, or else the default key
 * of the gateway, or else the operator's. Only clients with a valid credential use keys of this server; the owner of a
 * gateway can extend that to all clients for the keys of the gateway.
 * @returns the key, or the error 2026, 2040, 2041 or 2042
 */
export async function chosenKeyOf(
  services: GatewayServices,
  { gateway, caller }: Admission,
  { route, options, rawHeaders, bringsCredentials }: Step,
): Promise<ChosenKey | StepRefusal> {
  if (isLocal(route)) return NO_KEY;
  const { provider, endpoint } = route;
  // Providers log request URLs.
  if (holdsOwnSecret(endpoint.path)) return { definition: OWN_SECRET_IN_PATH };
  const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
  const alias = options.byokAlias;
  if (!mayUseStored && alias !== undefined) return { definition: gatewayErrors.noStoredKey };
  const isOwn =
    bringsCredentials &&
    (bringsKey(rawHeaders, provider) || provider.bringsKey?.(endpoint.path) === true);
  if (alias === undefined && isOwn) return NO_KEY;
  const none: ChosenKey | StepRefusal =
    gateway.isByokOnly && provider.needsNoKey !== true
      ? { definition: gatewayErrors.ownKeyRequired }
      : NO_KEY;
  if (!mayUseStored) return none;
  const { accountId, id } = gateway;
  const stored = await services.keys.find(accountId, id, provider.name, alias);
  if (stored !== undefined) {
    // Clients may choose the host, and must not send a stored key to a host of their choice.
    const isThere =
      stored.origin === undefined
        ? provider.keyOrigin === undefined
        : stored.origin === endpoint.origin;
    return isThere ? stored : { definition: gatewayErrors.keyElsewhere };
  }
  if (alias !== undefined) return { definition: gatewayErrors.noStoredKey };
  const mayUseOperatorKey = caller !== undefined && !gateway.isByokOnly;
  return mayUseOperatorKey && provider.apiKey !== undefined ? { secret: provider.apiKey } : none;
}

/** Returns true if the headers of the client contain a credential for the provider, and not one of this server. */
function bringsKey(rawHeaders: readonly string[], provider: UpstreamProvider): boolean {
  return rawHeaders.some(
    (name, index) =>
      index % 2 === 0 &&
      provider.credentialHeaders.includes(name.toLowerCase()) &&
      !holdsOwnSecret(rawHeaders[index + 1] ?? ''),
  );
}

/** Counts one call against the limit of a stored key. */
export async function lendKey(
  { limits }: GatewayServices,
  key: ChosenKey,
): Promise<ProviderKey | StepRefusal> {
  if (!('alias' in key) || key.rateLimit === undefined) return key;
  const { isTaken, resetMs } = await limits.takeKey(key);
  return isTaken ? key : limitReached(resetMs);
}
