import type { LogExtremes } from '../logs/log-query.ts';

/** What a series is broken down by: `all`, `model`, …, `metadata.<key>`; see GatewayLogRollupsTable. */
export type Dimension = string;

/** The stretches of time that are summed up: a minute, an hour and a day, in seconds. */
export const STEPS_SECONDS = [60, 3_600, 86_400] as const;

export type StepSeconds = (typeof STEPS_SECONDS)[number];

/** Which sums of a gateway. */
export interface RollupQuery {
  accountId: string;
  gatewayId: string;
  /** When the gateway was made: what an earlier one of its id did is none of its own. */
  createdAtMs: number;
  dimension: Dimension;
  stepSeconds: StepSeconds;
  /** Multiples of the step; the second is not in it. */
  sinceMs: number;
  untilMs: number;
}

/** A histogram on the wire of threads: bins and their counts in turn, see histogram.ts. */
export type Bins = readonly number[];

/** What is summed up over requests. */
export interface Sums {
  requests: number;
  /** Of these, without success. */
  errors: number;
  /** Of these, answered from our cache. */
  cached: number;
  /** Of these, with tokens whose price nobody knows. */
  unpriced: number;
  /** The number of these whose tokens the gateway estimated. */
  estimated: number;
  tokensIn: number;
  tokensOut: number;
  cacheTokens: number;
  costNanoUsd: number;
  durations: Bins;
  ttfts: Bins;
}

/** The sums of one value in one stretch of time, of all writers together. */
export interface RollupRow extends Sums {
  startMs: number;
  /** `=` and the value; `` : none; `*`: others. */
  value: string;
}

/** Sums as they are kept in memory and written. */
export interface WrittenSums extends Sums {
  /** Only of the dimension `all`. */
  extremes: LogExtremes | null;
}

/** One of the gateways over which is summed up. */
export interface SummedGateway {
  id: string;
  /** See {@link RollupQuery}. */
  createdAtMs: number;
  /** The group in which all of it counts, in the form of a value of a dimension; undefined: by these. */
  group: string | undefined;
}

export type AnalyticsOrder = 'requests' | 'cost' | 'tokens' | 'errors';

/** What is asked about gateways of an account. */
export interface AnalyticsQuery {
  accountId: string;
  gateways: readonly SummedGateway[];
  dimension: Dimension;
  stepSeconds: StepSeconds;
  /** Multiples of the step; the second is not in it. */
  sinceMs: number;
  untilMs: number;
  orderBy: AnalyticsOrder;
  /** So many groups, the greatest first; all others are one. */
  limit: number;
}

/** Milliseconds that so large a part of the requests did not exceed. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** What is told of sums. */
export interface Figures extends Omit<Sums, 'durations' | 'ttfts'> {
  /** Null: nothing was measured. */
  duration: Percentiles | null;
  /** To the first byte of the answer. */
  ttft: Percentiles | null;
}

export interface FiguresAt extends Figures {
  startMs: number;
}

export interface AnalyticsGroup {
  /** Null: what has no value, or several. */
  value: string | null;
  /** Requests of all groups that are not listed separately. */
  isOther: boolean;
  totals: Figures;
  /** In order of time, without the intervals in which nothing happened. */
  series: FiguresAt[];
}

export interface Analytics {
  totals: Figures;
  groups: AnalyticsGroup[];
}
