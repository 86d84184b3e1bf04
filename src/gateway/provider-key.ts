import type { ErrorDefinition } from '../http/errors.ts';
import { type MaybePromise, whenKnown } from '../lib/maybe-promise.ts';
import type { Admission } from './authenticate.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { holdsOwnSecret } from './headers.ts';
import type { StoredKey } from './keys/key-directory.ts';
import type { UpstreamProvider } from './providers/provider.ts';
import { isLocal } from './resolve-route.ts';
import { type StepRefusal, limitReached } from './step-refusal.ts';
import type { Step } from './step.ts';

/** The key that a provider is called with; undefined: what the caller brings, or none. */
export interface ProviderKey {
  secret: string | undefined;
}

/** A key that was chosen, and is not counted yet; see {@link lendKey}. */
export type ChosenKey = StoredKey | ProviderKey;

const NO_KEY: ProviderKey = { secret: undefined };

const OWN_SECRET_IN_PATH: ErrorDefinition = {
  ...gatewayErrors.badPath,
  message: 'Bad format: the URL must not contain a credential of this server',
};

/**
 * Which key a provider is called with: the stored one that the request names, or else the caller's
 * own, or else the gateway's default one, or else the operator's. Keys kept on this server are lent
 * only to a caller who is known; those of the gateway to everybody where its owner said so.
 */
export function chosenKeyOf(
  services: GatewayServices,
  { gateway, caller }: Admission,
  { route, options, rawHeaders, bringsCredentials }: Step,
): MaybePromise<ChosenKey | StepRefusal> {
  if (isLocal(route)) return NO_KEY;
  const { provider, endpoint } = route;
  // Providers keep what they are asked for in their logs.
  if (holdsOwnSecret(endpoint.path)) return { definition: OWN_SECRET_IN_PATH };
  const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
  const alias = options.byokAlias;
  if (!mayUseStored) {
    return alias === undefined ? NO_KEY : { definition: gatewayErrors.noStoredKey };
  }
  if (alias === undefined && bringsCredentials) {
    if (bringsKey(rawHeaders, provider) || provider.bringsKey?.(endpoint.path) === true) {
      return NO_KEY;
    }
  }
  const { accountId, id } = gateway;
  const finding = services.keys.find(accountId, id, provider.name, alias);
  const choose = (stored: StoredKey | undefined): ChosenKey | StepRefusal => {
    if (stored !== undefined) {
      // Callers may choose the host, and the key is not theirs to send wherever they like.
      const isThere =
        stored.origin === undefined
          ? provider.keyOrigin === undefined
          : stored.origin === endpoint.origin;
      return isThere ? stored : { definition: gatewayErrors.keyElsewhere };
    }
    if (alias !== undefined) return { definition: gatewayErrors.noStoredKey };
    // It is the operator's, whom no owner of a gateway speaks for.
    const isLent = caller !== undefined && provider.apiKey !== undefined;
    return isLent ? { secret: provider.apiKey } : NO_KEY;
  };
  return whenKnown(finding, choose);
}

/** Whether the caller's headers hold a credential of the provider; one of ours is none. */
function bringsKey(rawHeaders: readonly string[], provider: UpstreamProvider): boolean {
  return rawHeaders.some(
    (name, index) =>
      index % 2 === 0 &&
      provider.credentialHeaders.includes(name.toLowerCase()) &&
      !holdsOwnSecret(rawHeaders[index + 1] ?? ''),
  );
}

/** A key for one call now: stored ones may have a limit of their own, against which it counts. */
export function lendKey(
  { limits }: GatewayServices,
  key: ChosenKey,
): MaybePromise<ProviderKey | StepRefusal> {
  if (!('alias' in key) || key.rateLimit === undefined) return key;
  return whenKnown(limits.takeKey(key), ({ isTaken, resetMs }) =>
    isTaken ? key : limitReached(resetMs),
  );
}
