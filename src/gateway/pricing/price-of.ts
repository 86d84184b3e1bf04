import type * as GenaiPrices from '@pydantic/genai-prices';
import type { TokensOfKind } from '../usage/token-kinds.ts';
import type { Usage } from '../usage/usage.ts';

const NANO_USD_PER_USD = 1e9;

/**
 * Returns the cost of tokens, as the package calculates it, but about fifty times as fast. (The package also supports
 * seconds, searches and other units that {@link Usage} does not count.)
 * @returns billionths of a US dollar; null: unknown
 */
export function priceOf(price: GenaiPrices.ModelPrice, usage: Usage): number | null {
  const { tokensIn, kinds } = usage;
  const perIn = price.input_mtok;
  // Some models have a price per second, or per image.
  if (tokensIn === null || perIn === undefined) return null;
  // Embeddings have no output and no price for it.
  const tokensOut = usage.tokensOut ?? (price.output_mtok === undefined ? 0 : null);
  if (tokensOut === null || (tokensOut > 0 && price.output_mtok === undefined)) return null;
  const { cacheRead, cacheWrite, cacheWriteHour } = cachedTokens(usage);
  const uncached = tokensIn - cacheRead - cacheWrite;
  // The numbers of the provider contradict each other.
  if (uncached < 0) return null;
  const rate = (of: Rate): number => (typeof of === 'number' ? of : tierOf(of, tokensIn));
  const perCacheWrite = price.cache_write_mtok ?? perIn;
  const usdPerMillion =
    uncached * rate(perIn) +
    cacheRead * rate(price.cache_read_mtok ?? perIn) +
    (cacheWrite - cacheWriteHour) * rate(perCacheWrite) +
    cacheWriteHour * rate(price.cache_write_1h_mtok ?? perCacheWrite) +
    tokensOut * rate(price.output_mtok ?? 0) +
    surchargesOf(price, kinds, rate);
  const usdPerThousandRequests = rate(price.requests_kcount ?? 0);
  return nanoUsd(usdPerMillion / 1_000_000 + usdPerThousandRequests / 1_000);
}

function cachedTokens(usage: Usage) {
  return {
    cacheRead: usage.cacheReadTokens ?? 0,
    cacheWrite: usage.cacheWriteTokens ?? 0,
    cacheWriteHour: usage.cacheWriteHourTokens ?? 0,
  };
}

function surchargesOf(
  price: GenaiPrices.ModelPrice,
  kinds: Usage['kinds'],
  rate: (of: Rate) => number,
): number {
  if (kinds === undefined) return 0;
  return (
    surchargeOf(price, kinds.audio, 'audio', rate) + surchargeOf(price, kinds.images, 'image', rate)
  );
}

/**
 * Returns the highest cost of tokens at a price: all input is written to the cache, or is audio, whichever costs more.
 * @param writesForHour the request may write to the cache for an hour; default: false
 * @returns billionths of a US dollar; null for a price without tokens
 */
export function ceilingOf(
  price: GenaiPrices.ModelPrice,
  { tokensIn, tokensOut }: { tokensIn: number; tokensOut: number },
  writesForHour?: () => boolean,
): number | null {
  const perIn = price.input_mtok;
  if (perIn === undefined) return null;
  const rate = (of: Rate | undefined): number =>
    of === undefined ? 0 : typeof of === 'number' ? of : tierOf(of, tokensIn);
  const { cache_write_1h_mtok: perHour } = price;
  const dearestIn = Math.max(
    rate(perIn),
    rate(price.input_audio_mtok),
    rate(price.input_image_mtok),
    rate(price.cache_write_mtok),
    perHour !== undefined && writesForHour?.() ? rate(perHour) : 0,
  );
  const dearestOut = Math.max(
    rate(price.output_mtok),
    rate(price.output_audio_mtok),
    rate(price.output_image_mtok),
  );
  const perRequest = rate(price.requests_kcount) / 1_000;
  return nanoUsd((tokensIn * dearestIn + tokensOut * dearestOut) / 1_000_000 + perRequest);
}

/** Returns the highest price of each kind. Of a price with tiers, the highest tier counts. */
export function dearestOf(prices: readonly GenaiPrices.ModelPrice[]): GenaiPrices.ModelPrice {
  const dearest: GenaiPrices.ModelPrice = { input_mtok: 0, output_mtok: 0 };
  for (const { input_mtok, output_mtok } of prices) {
    dearest.input_mtok = Math.max(highest(dearest.input_mtok), highest(input_mtok));
    dearest.output_mtok = Math.max(highest(dearest.output_mtok), highest(output_mtok));
  }
  return dearest;
}

function highest(rate: Rate | undefined): number {
  if (rate === undefined || typeof rate === 'number') return rate ?? 0;
  return Math.max(rate.base, ...rate.tiers.map(({ price }) => price));
}

/** Returns the surcharge of tokens of a kind, compared with text tokens. */
function surchargeOf(
  price: GenaiPrices.ModelPrice,
  tokens: TokensOfKind,
  kind: 'audio' | 'image',
  rate: (of: Rate) => number,
): number {
  const more = (own: Rate | undefined, others: Rate | undefined): number =>
    own === undefined ? 0 : rate(own) - rate(others ?? 0);
  const perIn = price[`input_${kind}_mtok`];
  const { cache_read_mtok: perRead } = price;
  // Cached tokens without a price cost as much as others of their kind.
  const perReadOfKind =
    price[`cache_${kind}_read_mtok`] ?? (perRead === undefined ? perIn : undefined);
  return (
    (tokens.in - tokens.cacheRead) * more(perIn, price.input_mtok) +
    tokens.cacheRead * more(perReadOfKind, perRead ?? price.input_mtok) +
    tokens.out * more(price[`output_${kind}_mtok`], price.output_mtok)
  );
}

/** Converts US dollars to whole billionths; null for an invalid amount. */
export function nanoUsd(usd: number): number | null {
  const nano = Math.round(usd * NANO_USD_PER_USD);
  return Number.isSafeInteger(nano) && nano >= 0 ? nano : null;
}

type Rate = number | GenaiPrices.TieredPrices;

/** Returns the tier of a request: its whole input determines the price of all tokens. */
function tierOf({ base, tiers }: GenaiPrices.TieredPrices, tokensIn: number): number {
  return tiers.findLast(({ start }) => tokensIn > start)?.price ?? base;
}
