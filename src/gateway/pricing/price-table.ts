import { LRUCache } from 'lru-cache';
import type * as GenaiPrices from '@pydantic/genai-prices';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { Usage } from '../usage/usage.ts';
import { dearestOf, priceOf } from './price-of.ts';

/** Our names of those providers whose prices the table has, and its own. */
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

/** Those whose models may come with a path before the name that the table knows. */
const withPaths = new Set(['google-ai-studio', 'google-vertex-ai', 'aws-bedrock', 'azure-openai']);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_MODELS = 1_000;
// Callers name models; the longest in the table has fewer than 100 characters.
const MAX_MODEL_LENGTH = 300;

/** One model of the table, as a provider that has no other: the package need not search then. */
interface KnownModel {
  readonly id: string;
  readonly provider: GenaiPrices.Provider;
  /** What holds in that minute: prices may change at a date, and with the time of day. */
  minute: number;
  price: GenaiPrices.ModelPrice | null;
}

/** The table of public prices. */
export class PriceTable {
  readonly #table: typeof GenaiPrices;
  readonly #models = new LRUCache<string, { known: KnownModel | null }>(upToEntries(MAX_MODELS));
  /** By our names of the providers in the table. */
  readonly #dearest = new Map<string, { day: number; price: GenaiPrices.ModelPrice }>();

  constructor(table: typeof GenaiPrices) {
    this.#table = table;
  }

  /** See {@link Prices}. */
  costOf(provider: string, model: string, usage: Usage, atMs: number): number | null {
    const price = this.priceOf(provider, model, atMs);
    return price === null ? null : priceOf(price, usage);
  }

  /** The price of a model at that time; null when the table has none. */
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
   * The highest prices of a provider, for its models that have none of their own.
   * @returns undefined when the table has none of the provider
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
        // Alone in its provider, so that the package need not search for it.
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

/** @returns undefined when the table has nothing of the provider */
function nameInTable(
  provider: string,
  model: string,
): { providerId: string; model: string } | undefined {
  if (provider === 'huggingface') {
    // The router's `model:provider`; without one it chooses by itself, and does not say which.
    const at = model.lastIndexOf(':');
    if (at < 0) return undefined;
    return { providerId: `huggingface_${model.slice(at + 1)}`, model: model.slice(0, at) };
  }
  const providerId = Object.hasOwn(tableIds, provider) ? tableIds[provider] : undefined;
  if (providerId === undefined) return undefined;
  return { providerId, model: withoutPath(provider, model) };
}

/** The name of a model without what its provider writes before it. */
export function withoutPath(provider: string, model: string): string {
  return withPaths.has(provider) ? model.slice(model.lastIndexOf('/') + 1) : model;
}
