import { readFile } from 'node:fs/promises';
import type { ModelPrice } from '@pydantic/genai-prices';
import { withoutPath } from './price-table.ts';

/** The prices in the operator's price file. */
export interface OwnPrices {
  /**
   * @param provider name in paths and models
   * @param model name at the provider
   */
  find(provider: string, model: string): ModelPrice | undefined;
  /** Returns the models of a provider, without patterns that end in `*`. */
  models(provider: string): readonly string[];
}

export const NO_OWN_PRICES: OwnPrices = { find: () => undefined, models: () => [] };

// About ten thousand models.
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_USD_PER_MILLION = 1_000_000;

/** The members of a price, in US dollars per million tokens, and their names in the table. */
const FIELDS: Readonly<Record<string, string>> = {
  input: 'input_mtok',
  cached_input: 'cache_read_mtok',
  cache_write: 'cache_write_mtok',
  output: 'output_mtok',
};

/** The prices of one provider. */
interface ProviderPrices {
  byModel: Map<string, ModelPrice>;
  /** By prefix of the model, the longest first. */
  byBegin: [begin: string, price: ModelPrice][];
}

/**
 * Reads a file of prices: `{"<provider>": {"<model>": {"input": 2.5, "cached_input": 1.25, "output": 10}}}`,
 * US dollars per million tokens. A name that ends in `*` matches all models with this prefix.
 * @throws Error with the reason in one line
 */
export async function readOwnPrices(file: string): Promise<OwnPrices> {
  const text = await readFile(file, 'utf8');
  if (text.length > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
  const providers = new Map<string, ProviderPrices>();
  for (const [provider, models] of Object.entries(objectOf(parse(text), 'it'))) {
    const prices: ProviderPrices = { byModel: new Map(), byBegin: [] };
    for (const [model, price] of Object.entries(objectOf(models, provider))) {
      const read = readPrice(price, `${provider}, ${model}`);
      if (model.endsWith('*')) prices.byBegin.push([model.slice(0, -1), read]);
      else prices.byModel.set(model, read);
    }
    prices.byBegin.sort(([one], [other]) => other.length - one.length);
    providers.set(provider, prices);
  }
  return {
    find(provider, model) {
      const prices = providers.get(provider);
      if (prices === undefined) return undefined;
      return findIn(prices, model) ?? findIn(prices, withoutPath(provider, model));
    },
    models: (provider) => [...(providers.get(provider)?.byModel.keys() ?? [])],
  };
}

function findIn({ byModel, byBegin }: ProviderPrices, model: string): ModelPrice | undefined {
  return byModel.get(model) ?? byBegin.find(([begin]) => model.startsWith(begin))?.[1];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error('it is not valid JSON', { cause: error });
  }
}

function objectOf(value: unknown, what: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${what} must be an object`);
}

function readPrice(value: unknown, what: string): ModelPrice {
  const price: ModelPrice = {};
  for (const [name, usd] of Object.entries(objectOf(value, what)) as [string, unknown][]) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (field === undefined) {
      throw new Error(
        `${what}: unknown member ${name}; allowed: ${Object.keys(FIELDS).join(', ')}`,
      );
    }
    if (typeof usd !== 'number' || usd < 0 || usd > MAX_USD_PER_MILLION) {
      throw new Error(`${what}: ${name} must be a number from 0 to ${MAX_USD_PER_MILLION}`);
    }
    price[field] = usd;
  }
  if (price.input_mtok === undefined) throw new Error(`${what}: input is missing`);
  return price;
}
