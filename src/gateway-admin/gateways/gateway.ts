import type { SpendRule } from '../spend-rules.ts';
import type { OtelTarget } from './otel-target.ts';

/** The rate limit of a gateway. */
export interface GatewayRateLimit {
  requests: number;
  windowSeconds: number;
  /** `fixed`: windows start at multiples of their length. `sliding`: the window ends now. */
  technique: 'fixed' | 'sliding';
}

/** The maximum number of calls to a failing provider, and the delays between them. */
export interface RetryPolicy {
  /** Includes the first call. */
  maxAttempts: number;
  delayMs: number;
  backoff: 'constant' | 'linear' | 'exponential';
}

export const NO_RETRY: RetryPolicy = { maxAttempts: 1, delayMs: 0, backoff: 'constant' };

/** The number of log rows of a gateway. */
export interface LogLimit {
  maxRows: number;
  strategy: 'STOP_INSERTING' | 'DELETE_OLDEST';
}

/** One gateway of an account. */
export interface Gateway {
  accountId: string;
  id: string;
  /** Require the permission AI Gateway Run. */
  authentication: boolean;
  /** Unauthenticated clients can use the stored provider keys. */
  allowStoredKeysUnauthenticated: boolean;
  collectLogs: boolean;
  /** At least 1. Null: the cache is off, unless a request asks for it. */
  cacheTtlSeconds: number | null;
  cacheInvalidateOnUpdate: boolean;
  /** Part of the cache key. A new generation invalidates the cached responses. */
  cacheGeneration: number;
  /** Null: no limit. */
  rateLimit: GatewayRateLimit | null;
  retry: RetryPolicy;
  /** The enabled rules. */
  spendRules: readonly SpendRule[];
  /** Null: no limit. */
  logLimit: LogLimit | null;
  /** Log rows have no bodies. Requests cannot change this. */
  isZeroDataRetention: boolean;
  /** The price in a request replaces the listed price in the log. */
  trustsCustomCost: boolean;
  /** Requests need a provider key of the client or of the gateway: the operator's keys are not used. */
  isByokOnly: boolean;
  /** The receivers of the spans of each request. */
  otelTargets: readonly OtelTarget[];
  /** `provider/model` by alias. */
  modelAliases: ReadonlyMap<string, string>;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** The gateway of REST requests that name no gateway. */
export const DEFAULT_GATEWAY_ID = 'default';
