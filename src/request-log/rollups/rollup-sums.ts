import type { GatewayLogRollupsTable } from '../../storage/log-tables.ts';
import type { Extremes, LogExtremes } from '../log-query.ts';
import type { LogRow } from '../record.ts';
import type { Sums, WrittenSums } from '../analytics/analytics-query.ts';
import { addBins, binOf, countInBin, withoutBins } from '../analytics/histogram.ts';

/** The columns of sums in the order of writing. */
export const SUM_COLUMNS = [
  'requests',
  'errors',
  'cached',
  'unpriced',
  'estimated',
  'tokens_in',
  'tokens_out',
  'cache_tokens',
  'cost_nano_usd',
  'durations',
  'ttfts',
] as const satisfies readonly (keyof GatewayLogRollupsTable)[];

/** Sums that can change, with their own histograms. */
export interface MutableTotals extends WrittenSums {
  durations: number[];
  ttfts: number[];
}

export const NO_EXTREMES: LogExtremes = {
  duration_ms: null,
  tokens_in: null,
  tokens_out: null,
  tokens: null,
  cost_nano_usd: null,
};

/** Creates empty sums. */
export function emptySums(): MutableTotals {
  return {
    requests: 0,
    errors: 0,
    cached: 0,
    unpriced: 0,
    estimated: 0,
    tokensIn: 0,
    tokensOut: 0,
    cacheTokens: 0,
    costNanoUsd: 0,
    durations: [],
    ttfts: [],
    extremes: null,
  };
}

/** Copies sums. */
export function copySums(sums: WrittenSums): MutableTotals {
  return { ...sums, durations: [...sums.durations], ttfts: [...sums.ttfts] };
}

/** Adds a row with its extremes. */
export function addRow(sums: MutableTotals, row: LogRow): void {
  const { tokens_in: tokensIn, tokens_out: tokensOut, cost_nano_usd: cost } = row;
  sums.requests++;
  if (row.success === 0) sums.errors++;
  if (row.cached === 1) sums.cached++;
  if (cost === null && (tokensIn !== null || tokensOut !== null)) sums.unpriced++;
  if (row.usage_source === 'estimate') sums.estimated++;
  sums.tokensIn = plus(sums.tokensIn, tokensIn ?? 0);
  sums.tokensOut = plus(sums.tokensOut, tokensOut ?? 0);
  sums.cacheTokens = plus(sums.cacheTokens, row.cache_tokens ?? 0);
  sums.costNanoUsd = plus(sums.costNanoUsd, cost ?? 0);
  countInBin(sums.durations, binOf(row.duration_ms));
  if (row.ttft_ms !== null) countInBin(sums.ttfts, binOf(row.ttft_ms));
  const extremes = (sums.extremes ??= { ...NO_EXTREMES });
  extremes.duration_ms = widen(extremes.duration_ms, row.duration_ms);
  extremes.tokens_in = widen(extremes.tokens_in, tokensIn);
  extremes.tokens_out = widen(extremes.tokens_out, tokensOut);
  const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
  extremes.tokens = widen(extremes.tokens, tokens);
  extremes.cost_nano_usd = widen(extremes.cost_nano_usd, cost);
}

/** Adds sums, without their extremes. */
export function addSums(sums: MutableTotals, more: Sums): void {
  sums.requests += more.requests;
  sums.errors += more.errors;
  sums.cached += more.cached;
  sums.unpriced += more.unpriced;
  sums.estimated += more.estimated;
  sums.tokensIn = plus(sums.tokensIn, more.tokensIn);
  sums.tokensOut = plus(sums.tokensOut, more.tokensOut);
  sums.cacheTokens = plus(sums.cacheTokens, more.cacheTokens);
  sums.costNanoUsd = plus(sums.costNanoUsd, more.costNanoUsd);
  addBins(sums.durations, more.durations);
  addBins(sums.ttfts, more.ttfts);
}

/** Joins extremes. */
export function joinExtremes(one: LogExtremes | null, other: LogExtremes | null): LogExtremes {
  const joined = { ...(one ?? NO_EXTREMES) };
  if (other === null) return joined;
  for (const field of Object.keys(NO_EXTREMES) as (keyof LogExtremes)[]) {
    const range = other[field];
    if (range === null) continue;
    joined[field] = widen(widen(joined[field], range.min), range.max);
  }
  return joined;
}

/** Subtracts a part from sums. */
export function withoutSums(all: Sums, part: Sums): Sums {
  const less = (whole: number, some: number): number => Math.max(0, whole - some);
  return {
    requests: less(all.requests, part.requests),
    errors: less(all.errors, part.errors),
    cached: less(all.cached, part.cached),
    unpriced: less(all.unpriced, part.unpriced),
    estimated: less(all.estimated, part.estimated),
    tokensIn: less(all.tokensIn, part.tokensIn),
    tokensOut: less(all.tokensOut, part.tokensOut),
    cacheTokens: less(all.cacheTokens, part.cacheTokens),
    costNanoUsd: less(all.costNanoUsd, part.costNanoUsd),
    durations: withoutBins(all.durations, part.durations),
    ttfts: withoutBins(all.ttfts, part.ttfts),
  };
}

/** Clients choose prices, and custom providers token counts. Extreme ones must not make a sum unreadable. */
function plus(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

function widen(range: Extremes, value: number | null): Extremes {
  if (value === null) return range;
  if (range === null) return { min: value, max: value };
  if (value < range.min) return { min: value, max: range.max };
  return value > range.max ? { min: range.min, max: value } : range;
}
