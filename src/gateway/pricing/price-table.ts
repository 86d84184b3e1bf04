import { LRUCache } from 'lru-cache';
import type * as GenaiPrices from '@pydantic/genai-prices';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { Usage } from '../usage/usage.ts';
import { dearestOf, priceOf } from './price-of.ts';

/** The providers in the table, by their names in the gateway. */
export const tableIds: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'google-ai-studio': 'google',
  'google-vertex-ai': 'google',
  'azure-openai': 'azure',
  'aws-bedrock': 'aws',
  mistral: 'mistral',
  groq: 'groq',
  deepseek: 'deepseek',
  xai: 'x-ai',
  cohere: 'cohere',
  openrouter: 'openrouter',
  perplexity: 'perplexity',
  cerebras: 'cerebras',
  together: 'together',
  fireworks: 'fireworks',
  'workers-ai': 'cloudflare',
};

/** Providers whose models may have a path as a prefix of the name in the table. */
const withPaths = new Set(['google-ai-studio', 'google-vertex-ai', 'aws-bedrock', 'azure-openai']);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_MODELS = 1_000;
// Clients choose the names. The longest in the table has fewer than 100 characters.
const MAX_MODEL_LENGTH = 300;

/** One model of the table, as a provider without other models, so that the package does not search. */
interface KnownModel {
  readonly id: string;
  readonly provider: GenaiPrices.Provider;
  /** The price in the current minute. Prices may depend on the date and on the time of day. */
  minute: number;
  price: GenaiPrices.ModelPrice | null;
}

/** The table of public prices. */
export class PriceTable {
  readonly #table: typeof GenaiPrices;
  readonly #models = new LRUCache<string, { known: KnownModel | null }>(upToEntries(MAX_MODELS));
  /** By the names of providers in the gateway. */
  readonly #dearest = new Map<string, { day: number; price: GenaiPrices.ModelPrice }>();

  constructor(table: typeof GenaiPrices) {
    this.#table = table;
  }

  /** See {@link Prices}. */
  costOf(provider: string, model: string, usage: Usage, atMs: number): number | null {
    const price = this.priceOf(provider, model, atMs);
    return price === null ? null : priceOf(price, usage);
  }

  /** Returns the price of a model at a time; null: the table has none. */
  priceOf(provider: string, model: string, atMs: number): GenaiPrices.ModelPrice | null {
    const known = this.#find(provider, model);
    if (known === null) return null;
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== known.minute) {
      const at = { provider: known.provider, timestamp: new Date(atMs) };
      known.price = this.#table.calcPrice({}, known.id, at)?.model_price ?? null;
      known.minute = minute;
    }
    return known.price;
  }

  /**
   * Returns the highest prices of a provider, for its models without a price.
   * @returns undefined if the table lacks the provider
   */
  dearestOf(provider: string, atMs: number): GenaiPrices.ModelPrice | undefined {
    const day = Math.floor(atMs / DAY_MS);
    const known = this.#dearest.get(provider);
    if (known?.day === day) return known.price;
    const id = Object.hasOwn(tableIds, provider) ? tableIds[provider] : undefined;
    const found = id === undefined ? undefined : this.#table.findProvider({ providerId: id });
    if (found === undefined) return undefined;
    const { name, api_pattern } = found;
    const prices = found.models
      .map((model) => {
        // The only model of its provider, so that the package does not search.
        const models = [{ ...model, match: { equals: model.id } }];
        const alone = { id: found.id, name, api_pattern, models };
        const at = { provider: alone, timestamp: new Date(atMs) };
        return this.#table.calcPrice({}, model.id, at)?.model_price;
      })
      .filter((price) => price !== undefined);
    const price = dearestOf(prices);
    this.#dearest.set(provider, { day, price });
    return price;
  }

  #find(provider: string, model: string): KnownModel | null {
    if (model.length > MAX_MODEL_LENGTH) return null;
    const key = `${provider}/${model}`;
    const found = this.#models.get(key);
    if (found !== undefined) return found.known;
    const known = this.#search(provider, model);
    this.#models.set(key, { known });
    return known;
  }

  #search(provider: string, model: string): KnownModel | null {
    const named = nameInTable(provider, model);
    if (named === undefined) return null;
    const found = this.#table.calcPrice({}, named.model, { providerId: named.providerId });
    if (found === null) return null;
    const { id, name, api_pattern } = found.provider;
    const only = { ...found.model, match: { equals: found.model.id } };
    const alone = { id, name, api_pattern, models: [only] };
    return { id: only.id, provider: alone, minute: Number.NaN, price: null };
  }
}

/** @returns undefined if the table lacks the provider */
function nameInTable(
  provider: string,
  model: string,
): { providerId: string; model: string } | undefined {
  if (provider === 'huggingface') {
    // `model:provider` of the router. Without a provider, the router selects one and does not report it.
    const at = model.lastIndexOf(':');
    if (at < 0) return undefined;
    return { providerId: `huggingface_${model.slice(at + 1)}`, model: model.slice(0, at) };
  }
  const providerId = Object.hasOwn(tableIds, provider) ? tableIds[provider] : undefined;
  if (providerId === undefined) return undefined;
  return { providerId, model: withoutPath(provider, model) };
}

/** Removes the prefix that a provider adds to the name of a model. */
export function withoutPath(provider: string, model: string): string {
  return withPaths.has(provider) ? model.slice(model.lastIndexOf('/') + 1) : model;
}
