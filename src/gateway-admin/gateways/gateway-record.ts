import type { LogLimit } from './gateway.ts';
import { randomInt } from 'node:crypto';
import type { ModelAliases } from './model-aliases.ts';
import type { OtelSetting } from './otel-settings.ts';
import type { SpendLimits } from './spend-limits.ts';

/** The settings of a gateway as clients sent them. Null, and 0 for an amount: switched off, or the default. */
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

/** Returns null for an amount that is switched off. */
export function amountOf(value: number | null | undefined): number | null {
  return value === 0 ? null : (value ?? null);
}

/** A gateway as it is stored, and as the management API shows it. */
export interface GatewayRecord {
  accountId: string;
  id: string;
  settings: GatewaySettings;
  /** Part of the key of cached answers: those of an earlier one are not found any more. */
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

// The column holds 31 bits; the rest is more updates than anybody makes.
const MAX_FIRST_GENERATION = 2 ** 30;

/** A new gateway, by default as it is when nobody says otherwise. */
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
    // The id may have been that of another gateway, whose answers are still cached.
    cacheGeneration: randomInt(MAX_FIRST_GENERATION),
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
}
