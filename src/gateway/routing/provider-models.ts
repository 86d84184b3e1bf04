import { LRUCache } from 'lru-cache';
import { request } from 'undici';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CallableProvider } from '../gateway-request.ts';
import type { OwnPrices } from '../pricing/own-prices.ts';
import { type ProviderRegistry, findStoredKey } from './provider-registry.ts';
import { type KnownModel, knownModels } from '../pricing/known-models.ts';
import type { Provider, UpstreamProvider } from '../providers/provider.ts';
import { objectIn, objectsIn, parseObject, textIn } from '../json/json-fields.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 2_000;
const MAX_NAME_CHARACTERS = 256;
const LIFETIME_MS = 5 * 60_000;
const FAILURE_LIFETIME_MS = 30_000;
const MAX_ENTRIES = 1_000;

interface ProviderModelsParts {
  providers: ProviderRegistry;
  clock: Clock;
  /** The price file of the operator. */
  ownPrices: OwnPrices;
}

/**
 * The models of providers: from the list of a custom provider, the price table and the operator's price file, or
 * else from the provider itself.
 */
export class ProviderModels {
  readonly #parts: ProviderModelsParts;
  readonly #lists = new LRUCache<string, Promise<KnownModel[]>>({
    ...upToEntries(MAX_ENTRIES),
    ttl: LIFETIME_MS,
  });

  constructor(parts: ProviderModelsParts) {
    this.#parts = parts;
  }

  /** Never rejects: a provider that does not respond has no models for half a minute. */
  async list(admitted: AdmittedCaller, provider: CallableProvider): Promise<KnownModel[]> {
    const { name } = provider;
    const listed = await this.listConfigured(provider);
    if (listed.length > 0 || provider.kind === 'local' || provider.models !== undefined)
      return listed;
    const { modelsEndpoint: endpoint } = provider;
    if (endpoint === undefined) return listed;
    const { accountId, id } = admitted.gateway;
    const isKnown = String(admitted.caller !== undefined);
    // Keys differ by gateway and by client, and so may the models.
    const cacheKey = [accountId, id, isKnown, name, endpoint.origin, endpoint.path].join(' ');
    const cached = this.#lists.get(cacheKey);
    if (cached !== undefined) return cached;
    const fetching = fetchModels(this.#parts, admitted, provider).catch(() => {
      this.#lists.set(cacheKey, Promise.resolve([]), { ttl: FAILURE_LIFETIME_MS });
      return [];
    });
    this.#lists.set(cacheKey, fetching);
    return fetching;
  }

  /**
   * Returns the models of a provider that the server knows without a request: those that the owner of a custom provider
   * lists, or else those of the price table and of the operator's price file.
   */
  async listConfigured(provider: Provider): Promise<KnownModel[]> {
    if (provider.kind === 'unconfigured') return [];
    const { name } = provider;
    if (provider.kind === 'local') return knownModels(name);
    if (provider.models !== undefined) return provider.models.map((id) => ({ id, name: id }));
    const known = await knownModels(name);
    const ids = new Set(known.map(({ id }) => id));
    const own = this.#parts.ownPrices.models(name).filter((id) => !ids.has(id));
    return [...known, ...own.map((id) => ({ id, name: id }))];
  }
}

async function fetchModels(
  { providers, clock }: ProviderModelsParts,
  admitted: AdmittedCaller,
  provider: UpstreamProvider,
): Promise<KnownModel[]> {
  const { modelsEndpoint: endpoint } = provider;
  if (endpoint === undefined) return [];
  const secret = secretOf(admitted, provider);
  const outgoing = {
    method: 'GET',
    endpoint,
    body: Buffer.alloc(0),
    nowMs: clock.now(),
  };
  const headers = [
    ...Object.entries(provider.defaultHeaders ?? {}).flat(),
    ...(secret === undefined ? [] : await provider.authorize(secret, outgoing)),
  ];
  const { statusCode, body } = await request(endpoint.origin + endpoint.path, {
    dispatcher: providers.agentFor(provider),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers,
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  // An error ends the loop and the connection.
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error('the list of models is too long');
    pieces.push(piece);
  }
  if (statusCode !== 200) throw new Error(`the list of models has status ${statusCode}`);
  return modelsIn(Buffer.concat(pieces).toString());
}

/** The default key of the gateway, or else the operator's, for clients that may use them. */
function secretOf(
  { gateway, caller }: AdmittedCaller,
  provider: UpstreamProvider,
): string | undefined {
  if (caller === undefined && !gateway.allowStoredKeysUnauthenticated) return undefined;
  const stored =
    provider.keyOrigin === undefined ? findStoredKey(gateway, provider, undefined) : undefined;
  if (stored !== undefined) return stored.secret;
  return caller === undefined || gateway.isByokOnly ? undefined : provider.apiKey;
}

/** Returns the models of a list of the OpenAI, the Anthropic or the Gemini API. */
function modelsIn(text: string): KnownModel[] {
  const { data, models } = objectIn(parseObject(text));
  const all = Array.isArray(data) ? data : models;
  return objectsIn(all)
    .flatMap((model) => {
      const id = textIn(model.id) ?? textIn(model.name)?.replace(/^models\//, '') ?? '';
      if (id === '' || id.length > MAX_NAME_CHARACTERS) return [];
      const name = textIn(model.display_name) ?? textIn(model.displayName) ?? id;
      return [{ id, name: name.slice(0, MAX_NAME_CHARACTERS) }];
    })
    .slice(0, MAX_MODELS);
}
