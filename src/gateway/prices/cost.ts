import { LRUCache } from 'lru-cache';
import type * as GenaiPrices from '@pydantic/genai-prices';
import { upToEntries } from '../../lib/cache-bound.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { CustomCost } from '../options.ts';
import type { Usage } from '../usage/usage.ts';

/** What models cost, in whole billionths of a US dollar. */
export interface Prices {
  /**
   * What a request cost at that time. Null, and never 0, when nobody knows: the model has no public
   * price, or the provider did not say what it counted. Without a promise once the prices are loaded.
   * @param provider as paths and models name it
   * @param model as the provider names it
   */
  costOf(
    provider: string,
    model: string,
    usage: Usage,
    atMs: number,
  ): number | null | Promise<number | null>;
}

const NANO_USD_PER_USD = 1e9;

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
const MAX_MODELS = 1_000;
// Callers name models; the longest in the table has fewer than 100 characters.
const MAX_MODEL_LENGTH = 300;

/** Prices from the table of public prices. It takes some megabytes, so it is loaded at its first use. */
export function createPrices(report: ReportTrouble): Prices {
  let table: PriceTable | undefined;
  let loading: Promise<PriceTable | undefined> | undefined;
  const load = async (): Promise<PriceTable | undefined> => {
    try {
      return (table = new PriceTable(await import('@pydantic/genai-prices')));
    } catch (error) {
      report(error as Error, 'the prices of models cannot be loaded: costs are unknown');
      return undefined;
    }
  };
  return {
    costOf(provider, model, usage, atMs) {
      // The server's own models are free.
      if (provider === 'local') return 0;
      if (table !== undefined) return table.costOf(provider, model, usage, atMs);
      loading ??= load();
      return loading.then((loaded) => loaded?.costOf(provider, model, usage, atMs) ?? null);
    },
  };
}

/** What a request cost at the prices that it named itself; null when the tokens are not known. */
export function customCostOf(cost: CustomCost, usage: Usage): number | null {
  const tokensIn = cost.perTokenIn === 0 ? 0 : usage.tokensIn;
  const tokensOut = cost.perTokenOut === 0 ? 0 : usage.tokensOut;
  if (tokensIn === null || tokensOut === null) return null;
  return nanoUsd(tokensIn * cost.perTokenIn + tokensOut * cost.perTokenOut);
}

function nanoUsd(usd: number): number | null {
  const nano = Math.round(usd * NANO_USD_PER_USD);
  return Number.isSafeInteger(nano) && nano >= 0 ? nano : null;
}

/** One model of the table, as a provider that has no other: the package need not search then. */
interface KnownModel {
  readonly id: string;
  readonly provider: GenaiPrices.Provider;
  /** What holds in that minute: prices may change at a date, and with the time of day. */
  minute: number;
  price: GenaiPrices.ModelPrice | null;
}

class PriceTable {
  readonly #table: typeof GenaiPrices;
  readonly #models = new LRUCache<string, { known: KnownModel | null }>(upToEntries(MAX_MODELS));

  constructor(table: typeof GenaiPrices) {
    this.#table = table;
  }

  costOf(provider: string, model: string, usage: Usage, atMs: number): number | null {
    const known = this.#find(provider, model);
    if (known === null) return null;
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== known.minute) {
      const at = { provider: known.provider, timestamp: new Date(atMs) };
      known.price = this.#table.calcPrice({}, known.id, at)?.model_price ?? null;
      known.minute = minute;
    }
    return known.price === null ? null : priceOf(known.price, usage);
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
  const start = withPaths.has(provider) ? model.lastIndexOf('/') + 1 : 0;
  return { providerId, model: model.slice(start) };
}

/**
 * What the package would calculate of these tokens, some fifty times as fast. (It can also tell apart
 * seconds, images and other things that {@link Usage} does not count.)
 */
function priceOf(price: GenaiPrices.ModelPrice, usage: Usage): number | null {
  const { tokensIn } = usage;
  const perIn = price.input_mtok;
  // Some models cost by the second, or by the image.
  if (tokensIn === null || perIn === undefined) return null;
  // Embeddings have no output, and no price of it.
  const tokensOut = usage.tokensOut ?? (price.output_mtok === undefined ? 0 : null);
  if (tokensOut === null || (tokensOut > 0 && price.output_mtok === undefined)) return null;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const uncached = tokensIn - cacheRead - cacheWrite;
  // Then the provider's numbers contradict one another.
  if (uncached < 0) return null;
  const rate = (of: Rate): number => (typeof of === 'number' ? of : tierOf(of, tokensIn));
  const usdPerMillion =
    uncached * rate(perIn) +
    cacheRead * rate(price.cache_read_mtok ?? perIn) +
    cacheWrite * rate(price.cache_write_mtok ?? perIn) +
    tokensOut * rate(price.output_mtok ?? 0);
  const usdPerThousandRequests = rate(price.requests_kcount ?? 0);
  return nanoUsd(usdPerMillion / 1_000_000 + usdPerThousandRequests / 1_000);
}

type Rate = number | GenaiPrices.TieredPrices;

/** All tokens of a request cost what the tier says that its whole input reaches. */
function tierOf({ base, tiers }: GenaiPrices.TieredPrices, tokensIn: number): number {
  return tiers.findLast(({ start }) => tokensIn > start)?.price ?? base;
}
