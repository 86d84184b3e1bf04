import type { Dispatcher } from 'undici';
import type { AdmittedCaller } from '../admitted-caller.ts';
import type { CustomProviderDirectory } from '../custom-providers/custom-provider-directory.ts';
import { CUSTOM_PREFIX } from '../custom-providers/custom-upstream.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { CallableProvider } from '../gateway-request.ts';
import type { KeyDirectory, StoredKey } from '../keys/key-directory.ts';
import type { Provider, UpstreamProvider } from '../providers/provider.ts';

const MAX_NAME_CHARACTERS = 64;

export interface ProviderRegistryParts {
  /** The built-in providers by their names in paths and models. Some have two names. */
  builtIn: ReadonlyMap<string, Provider>;
  customProviders: CustomProviderDirectory;
  keys: KeyDirectory;
  /** Connects to addresses that are built in or set by the operator. */
  agent: Dispatcher;
  /** Connects to addresses that others have set, and refuses those of private networks. */
  guardedAgent: Dispatcher;
}

/** The providers that requests can name, their stored keys, and the agents that connect to them. */
export class ProviderRegistry {
  readonly #parts: ProviderRegistryParts;

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
  async find(accountId: string, name: string): Promise<CallableProvider> {
    const { builtIn, customProviders } = this.#parts;
    const isCustom = name.startsWith(CUSTOM_PREFIX);
    const provider =
      builtIn.get(name) ??
      (isCustom
        ? await customProviders.find(accountId, name.slice(CUSTOM_PREFIX.length))
        : undefined);
    if (provider === undefined) throw invalidProvider(name.slice(0, MAX_NAME_CHARACTERS));
    if (provider.kind === 'unconfigured') throw invalidProvider(provider.reason);
    return provider;
  }

  /** Returns all providers for an account, with its custom ones. Reads the database. */
  async list(accountId: string): Promise<Provider[]> {
    const custom = await this.#parts.customProviders.list(accountId);
    return [...new Set(this.#parts.builtIn.values()), ...custom];
  }

  /** Returns the providers that a client can use without its own key. */
  async listUsable({ gateway, caller }: AdmittedCaller): Promise<CallableProvider[]> {
    const { builtIn, keys } = this.#parts;
    const mayUseStored = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
    const stored = mayUseStored ? await keys.providersOf(gateway.accountId, gateway.id) : undefined;
    // The names of custom providers are for users of the account.
    const all = caller === undefined ? builtIn.values() : await this.list(gateway.accountId);
    return [...new Set(all)].filter((provider) => {
      if (provider.kind === 'unconfigured') return false;
      if (provider.kind === 'local' || provider.needsNoKey === true) return true;
      const mayUseOperatorKey = caller !== undefined && !gateway.isByokOnly;
      if (mayUseOperatorKey && provider.apiKey !== undefined) return true;
      return stored?.has(provider.name) === true;
    }) as CallableProvider[];
  }

  /**
   * Returns a stored key of a gateway.
   * @param alias undefined: the default key of the provider
   */
  findKey(
    { accountId, id }: AdmittedCaller['gateway'],
    { name }: UpstreamProvider,
    alias: string | undefined,
  ): Promise<StoredKey | undefined> {
    return this.#parts.keys.find(accountId, id, name, alias);
  }

  /** Returns the agent that connects to a provider. */
  agentFor({ isTrusted }: UpstreamProvider): Dispatcher {
    return isTrusted ? this.#parts.agent : this.#parts.guardedAgent;
  }
}

function invalidProvider(reason: string): GatewayError {
  const definition = gatewayErrors.invalidProvider;
  return new GatewayError(definition, { message: `${definition.message}: ${reason}` });
}
