import type { LogLimit } from './gateway.ts';
import { randomInt } from 'node:crypto';
import type { ModelAliases } from './model-aliases.ts';
import type { OtelSetting } from './otel-settings.ts';
import type { SpendLimits } from './spend-limits.ts';

/** The settings of a gateway as clients sent them. Null, and 0 for an amount: disabled, or the default. */
export interface GatewaySettings {
  authentication: boolean;
  allowStoredKeysUnauthenticated: boolean;
  collectLogs: boolean;
  cacheTtlSeconds: number | null;
  cacheInvalidateOnUpdate: boolean;
  rateLimitIntervalSeconds: number | null;
  rateLimitRequests: number | null;
  rateLimitTechnique: 'fixed' | 'sliding' | null;
  retryMaxAttempts: number | null;
  retryDelayMs: number | null;
  retryBackoff: 'constant' | 'linear' | 'exponential' | null;
  spendLimits: SpendLimits | null;
  maxLogRows: number | null;
  logStrategy: LogLimit['strategy'] | null;
  zeroDataRetention: boolean;
  trustsCustomCost: boolean;
  isByokOnly: boolean;
  otel: readonly OtelSetting[] | null;
  modelAliases: ModelAliases | null;
}

/** Returns null for a disabled amount. */
export function amountOf(value: number | null | undefined): number | null {
  return value === 0 ? null : (value ?? null);
}

/** A stored gateway. */
export interface GatewayRecord {
  accountId: string;
  id: string;
  settings: GatewaySettings;
  /** Part of the key of cached responses. A new generation invalidates them. */
  cacheGeneration: number;
  createdAtMs: number;
  modifiedAtMs: number;
}

const DEFAULTS: GatewaySettings = {
  authentication: true,
  allowStoredKeysUnauthenticated: false,
  collectLogs: true,
  cacheTtlSeconds: null,
  cacheInvalidateOnUpdate: true,
  rateLimitIntervalSeconds: null,
  rateLimitRequests: null,
  rateLimitTechnique: null,
  retryMaxAttempts: null,
  retryDelayMs: null,
  retryBackoff: null,
  spendLimits: null,
  maxLogRows: null,
  logStrategy: null,
  zeroDataRetention: false,
  trustsCustomCost: false,
  isByokOnly: false,
  otel: null,
  modelAliases: null,
};

// The column has 31 bits. The rest is enough for all updates.
const MAX_FIRST_GENERATION = 2 ** 30;

/** Creates a gateway. Default: the default settings. */
export function newGatewayRecord(
  accountId: string,
  id: string,
  nowMs: number,
  settings: GatewaySettings = DEFAULTS,
): GatewayRecord {
  return {
    accountId,
    id,
    settings,
    // An earlier gateway with this id may still have cached responses.
    cacheGeneration: randomInt(MAX_FIRST_GENERATION),
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
}
