import type { ModelPrice } from '@pydantic/genai-prices';
import { type CallSize, MEDIA_BYTES_PER_TOKEN } from '../pricing/call-size.ts';
import type { SpendEstimate } from './gateway-limits.ts';
import type { SpendCost } from './spend-reservation.ts';
import type { Usage } from '../usage/usage.ts';
import { type FoundPrice, type Prices, customCostOf } from '../pricing/cost.ts';
import { ceilingOf, nanoUsd, priceOf } from '../pricing/price-of.ts';
import { tierFactor } from '../pricing/service-tiers.ts';
import type { CustomCost } from '../gateway-request.ts';

/** The cost of a call. */
export interface CallCost {
  /** For the log, in billionths of a US dollar; null: unknown. */
  nanoUsd: number | null;
  limit: SpendCost;
  /** The price of the model in the response. */
  source?: 'answer_model';
}

/** The price in a request, and the trust of the gateway in it. */
interface NamedPrice {
  customCost: CustomCost | undefined;
  trustsCustomCost: boolean;
}

/** Built-in providers that report the cost of a call. Custom providers may report it, too. */
const REPORTING_COST: ReadonlySet<string> = new Set(['openrouter', 'perplexity', 'xai']);
/** Providers whose models are deployments, which may have the name of another model. */
const NAMING_DEPLOYMENTS: ReadonlySet<string> = new Set(['azure-openai']);
// The price of most providers in US dollars, for models whose price in the table has no searches.
const USD_PER_THOUSAND_SEARCHES = 10;

/** The properties of a completed call that determine its cost. */
export interface PricedCall extends NamedPrice {
  /** Name in paths and models. */
  provider: string;
  /** A custom provider of the account. */
  isCustom: boolean;
  /** Name at the provider; empty if the request names none. */
  model: string;
  atMs: number;
  /** The factor of the requested service tier, for responses without a tier. */
  requestedFactor: number;
}

/**
 * Returns the cost of a call with known or estimated usage: the cost that the provider reports, or else the listed price of
 * the requested model or the model in the response, in the service tier of the response, or else the price in the request.
 * Limits count a call without any of these at the highest price of its provider.
 */
export async function callCostOf(
  prices: Prices,
  usage: Usage,
  call: PricedCall,
): Promise<CallCost> {
  const answering = usage.facts?.model ?? call.model;
  const prefersAnswer = NAMING_DEPLOYMENTS.has(call.provider);
  const [first, second] = prefersAnswer ? [answering, call.model] : [call.model, answering];
  const price = await prices.find(call.provider, first, call.atMs);
  if (price.listed !== null || first === second) {
    return costAt(price, usage, call, first !== call.model);
  }
  const other = await prices.find(call.provider, second, call.atMs);
  return costAt(other, usage, call, second !== call.model);
}

function costAt(price: FoundPrice, usage: Usage, call: PricedCall, isAnswer: boolean): CallCost {
  const { customCost, trustsCustomCost } = call;
  const known = reportedCost(usage, call) ?? listedCost(price, usage, call);
  const own = customCost === undefined ? null : customCostOf(customCost, usage);
  const named = known === null || trustsCustomCost ? own : null;
  const source = isAnswer && price.listed !== null ? { source: 'answer_model' as const } : {};
  if (known !== null) {
    const limit = { nanoUsd: Math.max(known, named ?? 0), isUnpriced: false };
    return { nanoUsd: named ?? known, limit, ...source };
  }
  if (named !== null && (trustsCustomCost || !price.isProviderKnown)) {
    return { nanoUsd: named, limit: { nanoUsd: named, isUnpriced: false } };
  }
  const assumed = assumedCost(price, usage, call);
  // The request must not name a price below the one that limits count.
  return { nanoUsd: named, limit: { nanoUsd: Math.max(assumed, named ?? 0), isUnpriced: true } };
}

function reportedCost({ facts }: Usage, { provider, isCustom }: PricedCall): number | null {
  if (facts?.costUsd === undefined) return null;
  return isCustom || REPORTING_COST.has(provider) ? nanoUsd(facts.costUsd) : null;
}

function listedCost(
  { listed }: FoundPrice,
  usage: Usage,
  { provider, requestedFactor }: PricedCall,
): number | null {
  if (listed === null) return null;
  const cost = priceOf(listed, usage) ?? hourlyCost(listed, usage);
  if (cost === null) return null;
  const perThousand = listed.web_searches_kcount;
  const usd = typeof perThousand === 'number' ? perThousand : USD_PER_THOUSAND_SEARCHES;
  const searches = ((usage.facts?.webSearches ?? 0) * usd) / 1_000;
  return (
    Math.round(cost * tierFactor(provider, usage.facts, requestedFactor)) + (nanoUsd(searches) ?? 0)
  );
}

// Most formats have more than 1,000 bytes per second of speech, so the estimate is usually too long.
const MEDIA_TOKENS_PER_SECOND = 1_000 / MEDIA_BYTES_PER_TOKEN;

/** Returns the cost of audio with a price per hour. Its length is reported by the provider, or estimated. */
function hourlyCost(price: ModelPrice, { facts, tokensIn }: Usage): number | null {
  const perHour = price.input_audio_hours ?? price.audio_hours;
  if (typeof perHour !== 'number' || price.input_mtok !== undefined) return null;
  const estimate = tokensIn === null ? undefined : tokensIn / MEDIA_TOKENS_PER_SECOND;
  const seconds = facts?.audioSeconds ?? estimate;
  return seconds === undefined ? null : nanoUsd((seconds / 3_600) * perHour);
}

/** Returns the cost at the highest price of the provider, because an unknown price is not free. */
function assumedCost(
  { assumed }: FoundPrice,
  usage: Usage,
  { provider, requestedFactor }: PricedCall,
): number {
  const tokens = { tokensIn: usage.tokensIn ?? 0, tokensOut: usage.tokensOut ?? 0 };
  const cost = ceilingOf(assumed, tokens) ?? 0;
  return Math.round(cost * tierFactor(provider, usage.facts, requestedFactor));
}

/** Returns the highest expected cost of a call, to reserve before it. */
export function estimatedCostOf(
  price: FoundPrice,
  size: CallSize,
  { customCost, trustsCustomCost, writesForHour }: NamedPrice & { writesForHour: () => boolean },
): SpendEstimate {
  const { isBounded, priceFactor } = size;
  const usage = { ...size, cacheReadTokens: null, cacheWriteTokens: null };
  const own = (customCost && customCostOf(customCost, usage)) ?? null;
  const isListed = price.listed !== null;
  if (own !== null && !isListed && (trustsCustomCost || !price.isProviderKnown)) {
    return { nanoUsd: own, isBounded, isUnpriced: false };
  }
  const byTokens = ceilingOf(price.listed ?? price.assumed, size, writesForHour);
  const byHours = price.listed === null ? null : hourlyCost(price.listed, usage);
  const ceiling = byTokens ?? byHours ?? ceilingOf(price.assumed, size, writesForHour) ?? 0;
  const named = isListed && !trustsCustomCost ? 0 : (own ?? 0);
  return {
    nanoUsd: Math.max(Math.ceil(ceiling * priceFactor), named),
    isBounded,
    isUnpriced: !isListed,
  };
}
