import type * as GenaiPrices from '@pydantic/genai-prices';
import type { TokensOfKind } from '../usage/token-kinds.ts';
import type { Usage } from '../usage/usage.ts';

const NANO_USD_PER_USD = 1e9;

/**
 * What the package would calculate of these tokens, some fifty times as fast. (It can also tell apart
 * seconds, searches and other things that {@link Usage} does not count.)
 * @returns billionths of a US dollar; null when nobody knows
 */
export function priceOf(price: GenaiPrices.ModelPrice, usage: Usage): number | null {
  const { tokensIn, kinds } = usage;
  const perIn = price.input_mtok;
  // Some models cost by the second, or by the image.
  if (tokensIn === null || perIn === undefined) return null;
  // Embeddings have no output, and no price of it.
  const tokensOut = usage.tokensOut ?? (price.output_mtok === undefined ? 0 : null);
  if (tokensOut === null || (tokensOut > 0 && price.output_mtok === undefined)) return null;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const cacheWriteHour = usage.cacheWriteHourTokens ?? 0;
  const uncached = tokensIn - cacheRead - cacheWrite;
  // Then the provider's numbers contradict one another.
  if (uncached < 0) return null;
  const rate = (of: Rate): number => (typeof of === 'number' ? of : tierOf(of, tokensIn));
  const perCacheWrite = price.cache_write_mtok ?? perIn;
  const usdPerMillion =
    uncached * rate(perIn) +
    cacheRead * rate(price.cache_read_mtok ?? perIn) +
    (cacheWrite - cacheWriteHour) * rate(perCacheWrite) +
    cacheWriteHour * rate(price.cache_write_1h_mtok ?? perCacheWrite) +
    tokensOut * rate(price.output_mtok ?? 0) +
    (kinds === undefined
      ? 0
      : surchargeOf(price, kinds.audio, 'audio', rate) +
        surchargeOf(price, kinds.images, 'image', rate));
  const usdPerThousandRequests = rate(price.requests_kcount ?? 0);
  return nanoUsd(usdPerMillion / 1_000_000 + usdPerThousandRequests / 1_000);
}

/**
 * The highest cost that so many tokens can have at a price: all of the input is written to the cache, or
 * is audio, whichever costs most.
 * @param writesForHour the request may write to the cache for an hour; left out: it does not
 * @returns billionths of a US dollar; null for a price that is not by tokens
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

/** Of several prices the highest of each kind; of one with tiers, the highest of them. */
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

/** What tokens of a kind cost more than as many of text. */
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
  // Where cached tokens have no price, they cost as others of the kind do.
  const perReadOfKind =
    price[`cache_${kind}_read_mtok`] ?? (perRead === undefined ? perIn : undefined);
  return (
    (tokens.in - tokens.cacheRead) * more(perIn, price.input_mtok) +
    tokens.cacheRead * more(perReadOfKind, perRead ?? price.input_mtok) +
    tokens.out * more(price[`output_${kind}_mtok`], price.output_mtok)
  );
}

/** US dollars in whole billionths; null for what is no amount of money. */
export function nanoUsd(usd: number): number | null {
  const nano = Math.round(usd * NANO_USD_PER_USD);
  return Number.isSafeInteger(nano) && nano >= 0 ? nano : null;
}

type Rate = number | GenaiPrices.TieredPrices;

/** All tokens of a request cost what the tier says that its whole input reaches. */
function tierOf({ base, tiers }: GenaiPrices.TieredPrices, tokensIn: number): number {
  return tiers.findLast(({ start }) => tokensIn > start)?.price ?? base;
}
