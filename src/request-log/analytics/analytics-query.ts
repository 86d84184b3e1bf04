import type { LogExtremes } from '../log-query.ts';

/** The dimension of a series: `all`, `model`, …, `metadata.<key>`; see GatewayLogRollupsTable. */
export type Dimension = string;

/** The intervals of sums in seconds: a minute, an hour and a day. */
export const STEPS_SECONDS = [60, 3_600, 86_400] as const;

export type StepSeconds = (typeof STEPS_SECONDS)[number];

/** Selects sums of a gateway. */
export interface RollupQuery {
  accountId: string;
  gatewayId: string;
  /** Creation of the gateway, which excludes earlier gateways with the same id. */
  createdAtMs: number;
  dimension: Dimension;
  stepSeconds: StepSeconds;
  /** Multiples of the step; the end is exclusive. */
  sinceMs: number;
  untilMs: number;
}

/** A histogram for another thread: alternating bins and counts, see histogram.ts. */
export type Bins = readonly number[];

/** Sums over requests. */
export interface Sums {
  requests: number;
  /** Failed requests. */
  errors: number;
  /** Requests with a response from the cache. */
  cached: number;
  /** Requests with tokens without a known price. */
  unpriced: number;
  /** Requests whose tokens the gateway estimated. */
  estimated: number;
  tokensIn: number;
  tokensOut: number;
  cacheTokens: number;
  costNanoUsd: number;
  durations: Bins;
  ttfts: Bins;
}

/** The sums of one value in one interval, of all writers. */
export interface RollupRow extends Sums {
  startMs: number;
  /** `=` and the value; `` : none; `*`: others. */
  value: string;
}

/** Sums in memory and in the store. */
export interface WrittenSums extends Sums {
  /** Only in the dimension `all`. */
  extremes: LogExtremes | null;
}

/** One of the gateways in a query. */
export interface SummedGateway {
  id: string;
  /** See {@link RollupQuery}. */
  createdAtMs: number;
  /** The group of the whole gateway, in the form of a value; undefined: the values of the dimension. */
  group: string | undefined;
}

export type AnalyticsOrder = 'requests' | 'cost' | 'tokens' | 'errors';

/** A query for sums over gateways of an account. */
export interface AnalyticsQuery {
  accountId: string;
  gateways: readonly SummedGateway[];
  dimension: Dimension;
  stepSeconds: StepSeconds;
  /** Multiples of the step; the end is exclusive. */
  sinceMs: number;
  untilMs: number;
  orderBy: AnalyticsOrder;
  /** Number of groups, the largest first. All others are one group. */
  limit: number;
}

/** Percentiles in milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** Sums in a result. */
export interface Figures extends Omit<Sums, 'durations' | 'ttfts'> {
  /** Null: not measured. */
  duration: Percentiles | null;
  /** Time to the first byte of the response. */
  ttft: Percentiles | null;
}

export interface FiguresAt extends Figures {
  startMs: number;
}

export interface AnalyticsGroup {
  /** Null: no value, or several. */
  value: string | null;
  /** Requests of all groups that are not listed separately. */
  isOther: boolean;
  totals: Figures;
  /** In order of time, without empty intervals. */
  series: FiguresAt[];
}

export interface Analytics {
  totals: Figures;
  groups: AnalyticsGroup[];
}
