import type { Dispatcher } from 'undici';
import type { Changes } from '../iam/changes.ts';
import type { LastUsed } from '../iam/last-used.ts';
import type { SessionServices } from '../iam/sessions/presented-session.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { ResponseCache } from './response/cache/response-cache.ts';
import type { Prices } from './pricing/cost.ts';
import type { OwnPrices } from './pricing/own-prices.ts';
import type { ProviderModels } from './providers/provider-models.ts';
import type { ActiveCalls } from './execution/active-calls.ts';
import type { CustomProviderDirectory } from './custom-providers/custom-provider-directory.ts';
import type { DeferredCalls } from './deferred/deferred-calls.ts';
import type { GatewayDirectory } from './gateways/gateway-directory.ts';
import type { KeyDirectory } from './keys/key-directory.ts';
import type { GatewayLimits } from './limits/gateway-limits.ts';
import type { LogStore } from './logs/log-store.ts';
import type { LogWriter } from './logs/log-writer.ts';
import type { PayloadRoom } from './logs/capture/payload-room.ts';
import type { GenAiMetrics } from './otel/gen-ai-metrics.ts';
import type { OtelExporter } from './otel/otel-exporter.ts';
import type { Provider } from './providers/provider.ts';
import type { UpstreamErrors } from './execution/upstream-errors.ts';

/** The dependencies of the operations and the request path. */
export interface GatewayServices {
  database: Database;
  clock: Clock;
  changes: Changes;
  /** Sessions of signed-in users. */
  sessions: SessionServices;
  /** Use of sessions. */
  lastSeen: LastUsed;
  /** Use of API tokens. */
  lastUsed: LastUsed;
  /** Use of OAuth grants. */
  lastUsedGrants: LastUsed;
  masterKey: MasterKey;
  directory: GatewayDirectory;
  /** Providers' keys that gateways' owners keep here. */
  keys: KeyDirectory;
  /** Providers that accounts have named themselves. */
  customProviders: CustomProviderDirectory;
  limits: GatewayLimits;
  prices: Prices;
  ownPrices: OwnPrices;
  models: ProviderModels;
  /** Settles the calls that providers bill after their response. */
  deferred: DeferredCalls;
  cache: ResponseCache;
  /** The cache of unauthenticated callers, who cannot displace the answers of others. */
  openCache: ResponseCache;
  logStore: LogStore;
  logWriter: LogWriter;
  /** Older logs of a gateway are not shown: they are another's, or too old. */
  logsVisibleSinceMs: (gateway: { createdAtMs: number }) => number;
  /** For answers that are kept for the log while they pass. */
  payloadRoom: PayloadRoom;
  /** Sends a span of each exchange to where gateways' owners want them. */
  otel: OtelExporter;
  genAi: GenAiMetrics;
  /** Counts failed calls of providers. */
  upstreamErrors: UpstreamErrors;
  /** Providers by their names in paths and models. */
  providers: ReadonlyMap<string, Provider>;
  /** Reaches addresses that are built in or the operator's. */
  agent: Dispatcher;
  /** Reaches addresses that others have chosen, as far as they may be reached. */
  guardedAgent: Dispatcher;
  /** Calls of providers in progress. */
  calls: ActiveCalls;
  /** URL of the gateway host, without a trailing slash. */
  gatewayUrl: () => string;
  /** Scheme, host and port of every address of our own. */
  ownOrigins: () => string[];
  /** Destinations outside of the public Internet that the operator allows. */
  upstreamAllow: readonly AllowedTarget[];
  /** Names this installation in resource names: `com.<brand>.api.account.<id>`. */
  brand: string;
  tagging: ResourceTagging;
  /** Deepest nesting of a JSON body. */
  jsonMaxDepth: number;
  /** Time for a provider to begin its answer. */
  upstreamHeadersTimeoutMs: number;
  /** Longest silence of a provider within an answer, and of a client that takes nothing. */
  upstreamIdleTimeoutMs: number;
  /** Longest time without a byte to the client of an event stream. */
  streamPingIntervalMs: number;
}
