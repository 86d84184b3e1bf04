import type { Clock } from '../../lib/clock.ts';
import type { ActiveCalls } from './active-calls.ts';
import type { ChargeServices } from './step-charge.ts';
import type { UpstreamErrors } from './upstream-errors.ts';
import type { LogEntryParts } from '../capture/log-entry.ts';
import type { ResponseCache } from '../response/cache/response-cache.ts';
import type { ProviderRegistry } from '../routing/provider-registry.ts';

/** The dependencies of the request path, created once. */
export interface GatewayRuntime extends LogEntryParts {
  clock: Clock;
  providers: ProviderRegistry;
  charging: ChargeServices;
  cache: ResponseCache;
  /** The cache of unauthenticated clients, so that they cannot displace the responses of others. */
  openCache: ResponseCache;
  activeCalls: ActiveCalls;
  upstreamErrors: UpstreamErrors;
  /** Deepest nesting of a JSON body. */
  jsonMaxDepth: number;
  /** Longest time until a provider begins its response. */
  upstreamHeadersTimeoutMs: number;
  /** Longest silence of a provider in a response, and of a client that reads nothing. */
  upstreamIdleTimeoutMs: number;
  /** Longest time without a byte to the client of an event stream. */
  streamPingIntervalMs: number;
}
