import type { ErrorDefinition } from '../http/errors.ts';
import type { Admission } from './authenticate.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { holdsOwnSecret } from './headers.ts';
import type { StoredKey } from './keys/key-directory.ts';
import type { ResponseHeaders } from './outlet.ts';
import type { UpstreamProvider } from './providers/provider.ts';
import type { UpstreamRoute } from './resolve-route.ts';
import type { Step } from './step.ts';

/** The key that a provider is called with; undefined: what the caller brings, or none. */
export interface ProviderKey {
  secret: string | undefined;
}

/** Why there is no key. */
export interface KeyRefusal {
  definition: ErrorDefinition;
  headers?: ResponseHeaders;
}

const NO_KEY: ProviderKey = { secret: undefined };

/**
 * Which key a provider is called with: the stored one that the request names, or else the caller's
 * own, or else the gateway's default one, or else the operator's. Keys kept on this server are lent
 * only to a caller who is known, or where the gateway's owner said so.
 */
export function providerKeyOf(
  services: GatewayServices,
  { gateway, caller }: Admission,
  { options, rawHeaders, bringsCredentials }: Step,
  { provider, endpoint }: UpstreamRoute,
): ProviderKey | KeyRefusal | Promise<ProviderKey | KeyRefusal> {
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
  const choose = (stored: StoredKey | undefined) => {
    if (stored !== undefined) return lend(services, stored);
    if (alias !== undefined) return { definition: gatewayErrors.noStoredKey };
    return provider.apiKey === undefined ? NO_KEY : { secret: provider.apiKey };
  };
  return finding instanceof Promise ? finding.then(choose) : choose(finding);
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

/** Stored keys may have a limit of their own. */
function lend(
  { limits }: GatewayServices,
  key: StoredKey,
): ProviderKey | KeyRefusal | Promise<ProviderKey | KeyRefusal> {
  if (key.rateLimit === undefined) return key;
  const judge = ({ isTaken, resetMs }: { isTaken: boolean; resetMs: number }) => {
    if (isTaken) return key;
    const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
    return {
      definition: gatewayErrors.tooManyRequests,
      headers: { 'retry-after': String(seconds) },
    };
  };
  const taking = limits.takeKey(key);
  return taking instanceof Promise ? taking.then(judge) : judge(taking);
}
