import type * as GenaiPrices from '@pydantic/genai-prices';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { CustomCost } from '../options.ts';
import type { Usage } from '../usage/usage.ts';
import { NO_OWN_PRICES, type OwnPrices } from './own-prices.ts';
import { nanoUsd, priceOf } from './price-of.ts';
import { PriceTable } from './price-table.ts';

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
  /**
   * Puts another table of public prices in the place of the one there is.
   * @param table in the form of the package: a list of its providers
   * @throws Error when it is none; then the one there is stays
   */
  replaceTable(table: unknown): Promise<void>;
}

/**
 * Prices from the table of public prices, which takes some megabytes, so it is loaded at its first use.
 * @param own win over it
 */
export function createPrices(report: ReportTrouble, own: OwnPrices = NO_OWN_PRICES): Prices {
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
  const listed: (known: PriceTable, ...of: Parameters<Prices['costOf']>) => number | null = (
    known,
    provider,
    model,
    ...rest
  ) => {
    try {
      return known.costOf(provider, model, ...rest);
    } catch (error) {
      // A table from elsewhere may hold what this version does not understand.
      report(error as Error, `the price of ${provider}/${model} cannot be told`);
      return null;
    }
  };
  return {
    costOf(provider, model, usage, atMs) {
      const price = own.find(provider, model);
      if (price !== undefined) return priceOf(price, usage);
      // The server's own models are free.
      if (provider === 'local') return 0;
      if (table !== undefined) return listed(table, provider, model, usage, atMs);
      loading ??= load();
      return loading.then((loaded) =>
        loaded === undefined ? null : listed(loaded, provider, model, usage, atMs),
      );
    },
    async replaceTable(providers) {
      const genaiPrices = await import('@pydantic/genai-prices');
      await replaceProviders(genaiPrices, providers);
      // What was looked up in the one before is forgotten.
      table = new PriceTable(genaiPrices);
    },
  };
}

const NO_TABLE = 'that is no table of prices';

/** The package keeps its table for the whole process. */
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
    // A look through all models shows what would fail when a request is reckoned.
    for (const { id } of providers) calcPrice({}, 'none', { providerId: id });
  } catch (error) {
    put(before);
    throw new Error(NO_TABLE, { cause: error });
  }
}

/** Whether it looks like one: of an empty list, nothing would have a price any more. */
function isTable(providers: unknown): providers is GenaiPrices.Provider[] {
  return (
    Array.isArray(providers) &&
    providers.some(
      (provider: { models?: unknown } | null) =>
        Array.isArray(provider?.models) && provider.models.length > 0,
    )
  );
}

/** What a request cost at the prices that it named itself; null when the tokens are not known. */
export function customCostOf(cost: CustomCost, usage: Usage): number | null {
  const tokensIn = cost.perTokenIn === 0 ? 0 : usage.tokensIn;
  const tokensOut = cost.perTokenOut === 0 ? 0 : usage.tokensOut;
  if (tokensIn === null || tokensOut === null) return null;
  return nanoUsd(tokensIn * cost.perTokenIn + tokensOut * cost.perTokenOut);
}
