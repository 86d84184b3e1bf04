import type { Dispatcher } from 'undici';
import type { AdmittedCaller } from '../admitted-caller.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { CallableProvider } from '../gateway-request.ts';
import type { GatewaySnapshot, StoredKey } from '../../gateway-admin/snapshot.ts';
import { type CustomApi, createCustomProvider } from '../providers/custom-provider.ts';
import type { Provider, UpstreamProvider } from '../providers/provider.ts';

const MAX_NAME_CHARACTERS = 64;

export interface ProviderRegistryParts {
  /** The built-in providers by their names in paths and models. Some have two names. */
  builtIn: ReadonlyMap<string, Provider>;
  /** Connects to addresses that are built in or set by the operator. */
  agent: Dispatcher;
  /** Connects to addresses that others have set, and refuses those of private networks. */
  guardedAgent: Dispatcher;
}

/** The providers that requests can name, and the agents that connect to them. */
export class ProviderRegistry {
  readonly #parts: ProviderRegistryParts;
  /** Custom providers by their definition, which a snapshot contains. */
  readonly #custom = new WeakMap<CustomApi, UpstreamProvider>();

  constructor(parts: ProviderRegistryParts) {
    this.#parts = parts;
  }

  /** The built-in providers by their names. */
  get builtIn(): ReadonlyMap<string, Provider> {
    return this.#parts.builtIn;
  }

  /**
   * Returns the provider with a name.
   * @param name such as `openai`, or `custom-mine` for a custom provider of the account
   * @throws GatewayError 2008
   */
  find({ customProviders }: GatewaySnapshot, name: string): CallableProvider {
    const custom = customProviders.get(name);
    const provider =
      this.#parts.builtIn.get(name) ?? (custom && this.#customProvider(name, custom));
    if (provider === undefined) throw invalidProvider(name.slice(0, MAX_NAME_CHARACTERS));
    if (provider.kind === 'unconfigured') throw invalidProvider(provider.reason);
    return provider;
  }

  /** Returns all providers for an account, with its custom ones. */
  list(customProviders: ReadonlyMap<string, CustomApi>): Provider[] {
    const custom = [...customProviders].map(([name, api]) => this.#customProvider(name, api));
    return [...new Set(this.#parts.builtIn.values()), ...custom];
  }

  #customProvider(name: string, api: CustomApi): UpstreamProvider {
    const known = this.#custom.get(api);
    if (known !== undefined) return known;
    const provider = createCustomProvider(name, api);
    this.#custom.set(api, provider);
    return provider;
  }

  /** Returns the providers that a client can use without its own key. */
  listUsable({ gateway, caller }: AdmittedCaller): CallableProvider[] {
    const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
    const stored = new Set(mayUseStored ? gateway.keys.map((key) => key.providerSlug) : []);
    // The names of custom providers are for users of the account.
    const all = this.list(caller === undefined ? new Map() : gateway.customProviders);
    return all.filter((provider) => {
      if (provider.kind === 'unconfigured') return false;
      if (provider.kind === 'local' || provider.needsNoKey === true) return true;
      const mayUseOperatorKey = caller !== undefined && !gateway.isByokOnly;
      if (mayUseOperatorKey && provider.apiKey !== undefined) return true;
      return stored.has(provider.name);
    }) as CallableProvider[];
  }

  /** Returns the agent that connects to a provider. */
  agentFor({ isTrusted }: UpstreamProvider): Dispatcher {
    return isTrusted ? this.#parts.agent : this.#parts.guardedAgent;
  }
}

/**
 * Returns a stored key of a gateway.
 * @param alias undefined: the default key of the provider
 */
export function findStoredKey(
  { keys }: GatewaySnapshot,
  { name }: UpstreamProvider,
  alias: string | undefined,
): StoredKey | undefined {
  return keys.find(
    (key) =>
      key.providerSlug === name && (alias === undefined ? key.isDefault : key.alias === alias),
  );
}

function invalidProvider(reason: string): GatewayError {
  const definition = gatewayErrors.invalidProvider;
  return new GatewayError(definition, { message: `${definition.message}: ${reason}` });
}
