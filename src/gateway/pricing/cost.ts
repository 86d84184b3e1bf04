import type * as GenaiPrices from '@pydantic/genai-prices';
import type { ModelPrice } from '@pydantic/genai-prices';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { CustomCost } from '../gateway-request.ts';
import type { Usage } from '../usage/usage.ts';
import { NO_OWN_PRICES, type OwnPrices } from './own-prices.ts';
import { dearestOf, nanoUsd, priceOf } from './price-of.ts';
import { PriceTable } from './price-table.ts';

/** The price of a model. */
export interface FoundPrice {
  /** Null: the price of the model is unknown. */
  listed: ModelPrice | null;
  /**
   * The price that spend limits assume for a model without one: the highest of its provider, or of
   * {@link REFERENCE_PROVIDERS} if the provider has no prices.
   */
  assumed: ModelPrice;
  /** The provider has prices, but perhaps not of this model. */
  isProviderKnown: boolean;
}

/** The prices of models. Lookups wait only until the public prices are loaded. */
export interface Prices {
  /**
   * @param provider name in paths and models
   * @param model name at the provider
   */
  find(provider: string, model: string, atMs: number): Awaitable<FoundPrice>;
  /**
   * Returns the cost of a request at that time, in billionths of a US dollar. An unknown cost is null and never 0: the
   * model has no public price, or the provider reported no usage.
   */
  costOf(provider: string, model: string, usage: Usage, atMs: number): Promise<number | null>;
  /**
   * Replaces the table of public prices.
   * @param table a list of providers in the format of the package
   * @throws Error if the table is invalid; the current one stays
   */
  replaceTable(table: unknown): Promise<void>;
}

/** The providers with the most expensive models in the table. */
const REFERENCE_PROVIDERS = ['openai', 'anthropic'];
// The highest prices of the table, in case it cannot be loaded.
const HIGHEST_KNOWN: ModelPrice = { input_mtok: 150, output_mtok: 600 };
const FREE: ModelPrice = { input_mtok: 0, output_mtok: 0 };

/**
 * Creates the prices. The table of public prices takes some megabytes, so it is loaded at its first use.
 * @param own prices of the operator, which take precedence
 */
export function createPrices(report: ReportTrouble, own: OwnPrices = NO_OWN_PRICES): Prices {
  let table: PriceTable | undefined;
  let loading: Promise<PriceTable | undefined> | undefined;
  const load = async (): Promise<PriceTable | undefined> => {
    try {
      return (table = new PriceTable(await import('@pydantic/genai-prices')));
    } catch (error) {
      report(error as Error, 'failed to load the prices of models: costs are unknown');
      return undefined;
    }
  };
  // A downloaded table may contain conditions that this version lacks.
  const guarded = <T>(read: () => T, onError?: (error: unknown) => void): T | undefined => {
    try {
      return read();
    } catch (error) {
      onError?.(error);
      return undefined;
    }
  };
  const assumedOf = (known: PriceTable | undefined, provider: string, atMs: number): FoundPrice => {
    const ofProvider = guarded(() => known?.dearestOf(provider, atMs));
    const isProviderKnown = ofProvider !== undefined;
    if (ofProvider !== undefined) return { listed: null, assumed: ofProvider, isProviderKnown };
    const references = REFERENCE_PROVIDERS.map((name) =>
      guarded(() => known?.dearestOf(name, atMs)),
    ).filter((price) => price !== undefined);
    const assumed = references.length === 0 ? HIGHEST_KNOWN : dearestOf(references);
    return { listed: null, assumed, isProviderKnown };
  };
  const found = (listed: ModelPrice): FoundPrice => {
    return { listed, assumed: listed, isProviderKnown: true };
  };
  const findIn = (
    known: PriceTable | undefined,
    provider: string,
    model: string,
    atMs: number,
  ): FoundPrice => {
    const listed = guarded(
      () => known?.priceOf(provider, model, atMs),
      (error) => report(error as Error, `failed to read the price of ${provider}/${model}`),
    );
    return listed ? found(listed) : assumedOf(known, provider, atMs);
  };
  const find: Prices['find'] = (provider, model, atMs) => {
    const price = own.find(provider, model);
    if (price !== undefined) return found(price);
    // The server's own models are free.
    if (provider === 'local') return found(FREE);
    if (table !== undefined) return findIn(table, provider, model, atMs);
    loading ??= load();
    return loading.then((loaded) => findIn(loaded, provider, model, atMs));
  };
  return {
    find,
    async costOf(provider, model, usage, atMs) {
      const { listed } = await find(provider, model, atMs);
      return listed === null ? null : priceOf(listed, usage);
    },
    async replaceTable(providers) {
      const genaiPrices = await import('@pydantic/genai-prices');
      await replaceProviders(genaiPrices, providers);
      // Discards the lookups in the previous table.
      table = new PriceTable(genaiPrices);
    },
  };
}

const NO_TABLE = 'invalid price table';

/** Replaces the table of the package, which is global to the process. */
async function replaceProviders(
  { updatePrices, waitForUpdate, calcPrice }: typeof GenaiPrices,
  providers: unknown,
): Promise<void> {
  if (!isTable(providers)) throw new Error(NO_TABLE);
  const before = await waitForUpdate();
  const put = (table: GenaiPrices.Provider[] | null): void =>
    updatePrices(({ setProviderData }) => setProviderData(table));
  try {
    put(providers);
    // Finds models whose price calculation would fail for a request.
    for (const { id } of providers) calcPrice({}, 'none', { providerId: id });
  } catch (error) {
    put(before);
    throw new Error(NO_TABLE, { cause: error });
  }
}

/** Checks that a value looks like a table. After an empty list, no model would have a price. */
function isTable(providers: unknown): providers is GenaiPrices.Provider[] {
  return (
    Array.isArray(providers) &&
    providers.some(
      (provider: { models?: unknown } | null) =>
        Array.isArray(provider?.models) && provider.models.length > 0,
    )
  );
}

/** Returns the cost of a request at the prices in the request; null if the number of tokens is unknown. */
export function customCostOf(cost: CustomCost, usage: Usage): number | null {
  const { perTokenIn, perTokenOut, perCacheReadToken, perCacheWriteToken } = cost;
  const tokensIn = perTokenIn === 0 ? 0 : usage.tokensIn;
  const tokensOut = perTokenOut === 0 ? 0 : usage.tokensOut;
  if (tokensIn === null || tokensOut === null) return null;
  const more = (tokens: number | null, price: number | undefined): number =>
    price === undefined ? 0 : (tokens ?? 0) * (price - perTokenIn);
  return nanoUsd(
    tokensIn * perTokenIn +
      tokensOut * perTokenOut +
      more(usage.cacheReadTokens, perCacheReadToken) +
      more(usage.cacheWriteTokens, perCacheWriteToken),
  );
}
