import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { LastUsed } from '../iam/last-used.ts';
import type { SessionServices } from '../iam/sessions/presented-session.ts';
import type { Changes } from '../iam/changes.ts';
import type { ResourceTagging } from '../iam/own-resources.ts';
import type { ManagementRoute } from '../iam/route.ts';
import { unavailable } from '../http/errors.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import { createGuardedAgent } from '../http/guarded-agent.ts';
import { createTrustedAgent } from '../http/trusted-agent.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import { LOG_FILE } from '../storage/log-file.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { ResponseCache } from './response/cache/response-cache.ts';
import { ActiveCalls } from './execution/active-calls.ts';
import { createPrices } from './pricing/cost.ts';
import type { OwnPrices } from './pricing/own-prices.ts';
import { ProviderModels } from './providers/provider-models.ts';
import { type PriceSource, addPriceRefresh } from './pricing/refresh-prices.ts';
import { CustomProviderDirectory } from './custom-providers/custom-provider-directory.ts';
import type { GatewayServices } from './gateway-services.ts';
import { GenAiMetrics } from './otel/gen-ai-metrics.ts';
import { DeferredCalls } from './deferred/deferred-calls.ts';
import { GatewayDirectory } from './gateways/gateway-directory.ts';
import { addGatewayPurge } from './gateways/purge-deleted-gateways.ts';
import { KeyDirectory } from './keys/key-directory.ts';
import { GatewayLimits } from './limits/gateway-limits.ts';
import { addLogUpkeep, logVisibility } from './logs/log-retention.ts';
import { LogStoreError } from './logs/threads/log-trouble.ts';
import type { LogPlace } from './logs/threads/log-worker.ts';
import { type LogCounters, LogWriter } from './logs/log-writer.ts';
import { createWorkerLogStore } from './logs/threads/worker-log-store.ts';
import { PayloadRoom } from './logs/capture/payload-room.ts';
import { OtelExporter } from './otel/otel-exporter.ts';
import { type ProviderSettings, createProviders } from './providers/index.ts';
import { registerGateway } from './ingress/register-gateway.ts';
import { gatewayRoutes } from './routes.ts';
import { createUpstreamErrors } from './execution/upstream-errors.ts';

export interface GatewayParts {
  database: Database;
  clock: Clock;
  changes: Changes;
  sessions: SessionServices;
  lastUsed: LastUsed;
  lastUsedGrants: LastUsed;
  metrics: Metrics;
  report: ReportTrouble;
  dataDir: string;
  /** The price file of the operator. */
  ownPrices: OwnPrices;
  /** Undefined: the table of public prices is not updated. */
  priceSource: PriceSource | undefined;
  /** Retention of the logs; 0: unlimited. */
  logRetentionDays: number;
  /** PostgreSQL connection string; undefined: the embedded database. */
  databaseUrl: string | undefined;
  masterKey: MasterKey;
  tagging: ResourceTagging;
  work: PeriodicWork;
  brand: string;
  /** URL of the gateway host for clients, without a trailing slash. */
  gatewayUrl: () => string;
  /** Scheme, host and port of each address of this server. */
  ownOrigins: () => string[];
  /** The port of this server; undefined while it does not listen. */
  ownPort: () => number | undefined;
  /** Private addresses that custom providers may have. */
  upstreamAllow: readonly AllowedTarget[];
  forwardProxies: ForwardProxies;
  providers: ReadonlyMap<string, ProviderSettings>;
  upstreamHeadersTimeoutMs: number;
  upstreamIdleTimeoutMs: number;
  /** Longest time without a byte to the client of an event stream. */
  streamPingIntervalMs: number;
  /** Time for a client to send a whole request. */
  requestTimeoutMs: number;
  /** Time for running requests to end when the server stops. */
  shutdownTimeoutMs: number;
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
  bodyLimitBytes: number;
  bodiesLimitBytes: number;
  jsonMaxDepth: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
// Cached responses in memory: some ten thousand ordinary ones.
const CACHE_BYTES = 256 * 1024 * 1024;
const OPEN_CACHE = {
  maxBytes: 32 * 1024 * 1024,
  maxRecordingBytes: 8 * 1024 * 1024,
  maxAnswerBytes: 1024 * 1024,
};
// Captured responses in progress.
const KEPT_PAYLOAD_BYTES = 128 * 1024 * 1024;
// Recordings in progress.
const RECORDING_BYTES = 64 * 1024 * 1024;

/** The interface of the AI gateway to the rest of the server. */
export interface AiGateway {
  /** Routes of the management API. */
  routes: ManagementRoute[];
  /** Registers the request path. */
  register(http: FastifyInstance): Promise<void>;
  /** Opens the log store. */
  start(): Promise<void>;
  /** @throws ApiError while the log store is unavailable */
  ping(): Promise<void>;
  /**
   * Deletes some logs of a deleted account.
   * @returns true if there may be more
   */
  purgeAccountLogs(accountId: string): Promise<boolean>;
  /**
   * Aborts the calls of providers in progress. Their clients get an error.
   * @returns false if there were none
   */
  endCalls(): boolean;
  /** Call it after the last request: flushes the logs and closes all connections. */
  stop(): Promise<void>;
}

/** Creates the gateway. */
export function createGateway(parts: GatewayParts): AiGateway {
  const services = createServices(parts);
  addGatewayPurge({ ...parts, logStore: services.logStore });
  addLogUpkeep({ ...parts, logStore: services.logStore });
  services.deferred.addTo(parts.work);
  if (parts.priceSource !== undefined) {
    addPriceRefresh(parts.work, services.agent, services.prices, parts.priceSource);
  }
  return {
    routes: gatewayRoutes(services),
    register: (http) => registerGateway(http, services, parts),
    start: () => services.logStore.open(),
    async ping() {
      try {
        if (services.logWriter.failure !== undefined) throw services.logWriter.failure;
        await services.logStore.ping();
      } catch (error) {
        const reason = error instanceof LogStoreError ? error.reason : undefined;
        const why = reason === undefined ? '' : `: ${reason}`;
        throw unavailable(`failed to write gateway logs${why}`, error);
      }
    },
    purgeAccountLogs: (accountId) => services.logStore.purgeAccount(accountId),
    endCalls: () => services.calls.abortAll(),
    async stop() {
      await Promise.all([services.agent.destroy(), services.guardedAgent.destroy()]);
      const exported = services.otel.stop();
      await services.limits.stop();
      await services.logWriter.stop();
      await exported;
      await services.logStore.close();
    },
  };
}

function createServices(parts: GatewayParts): GatewayServices {
  const { database, clock, changes, lastUsed, lastUsedGrants, metrics, report } = parts;
  const logStore = createWorkerLogStore(logPlaceOf(parts), clock);
  const cache = new ResponseCache({
    clock,
    maxBytes: CACHE_BYTES,
    maxRecordingBytes: RECORDING_BYTES,
  });
  const openCache = new ResponseCache({ clock, ...OPEN_CACHE });
  addCacheMetrics(metrics, cache);
  const payloadRoom = new PayloadRoom(KEPT_PAYLOAD_BYTES);
  metrics.gauge(
    'latchkey_gateway_log_passing_bytes',
    'Memory used by log data of responses in progress',
    () => payloadRoom.bytes,
  );
  const logWriter = new LogWriter(logStore, logCounters(metrics), report);
  metrics.gauge(
    'latchkey_gateway_log_queued_rows',
    'Gateway log rows in the write queue',
    () => logWriter.queuedRows,
  );
  const prices = createPrices(report, parts.ownPrices);
  const genAi = new GenAiMetrics(metrics);
  const agent = createTrustedAgent(CONNECT_TIMEOUT_MS, parts.forwardProxies);
  const guardedAgent = guardedAgentOf(parts);
  const { masterKey } = parts;
  const deferredParts = { database, clock, report, masterKey, prices, genAi, logWriter };
  return {
    database,
    clock,
    changes,
    sessions: parts.sessions,
    lastSeen: parts.sessions.lastSeen,
    lastUsed,
    lastUsedGrants,
    masterKey,
    tagging: parts.tagging,
    directory: new GatewayDirectory({ database, clock, masterKey, tagging: parts.tagging, report }),
    keys: new KeyDirectory(database, clock, parts.masterKey, report),
    customProviders: new CustomProviderDirectory(database, clock),
    limits: new GatewayLimits({ database, clock, report }),
    prices,
    ownPrices: parts.ownPrices,
    models: new ProviderModels(),
    deferred: new DeferredCalls({ ...deferredParts, agent, guardedAgent }),
    cache,
    openCache,
    logStore,
    logWriter,
    payloadRoom,
    logsVisibleSinceMs: logVisibility(clock, parts.logRetentionDays),
    otel: createExporter(parts),
    genAi,
    upstreamErrors: createUpstreamErrors(metrics),
    providers: createProviders(parts.providers, agent),
    agent,
    guardedAgent,
    calls: new ActiveCalls(),
    gatewayUrl: parts.gatewayUrl,
    ownOrigins: parts.ownOrigins,
    upstreamAllow: parts.upstreamAllow,
    brand: parts.brand,
    jsonMaxDepth: parts.jsonMaxDepth,
    upstreamHeadersTimeoutMs: parts.upstreamHeadersTimeoutMs,
    upstreamIdleTimeoutMs: parts.upstreamIdleTimeoutMs,
    streamPingIntervalMs: parts.streamPingIntervalMs,
  };
}

function logPlaceOf({ dataDir, databaseUrl }: GatewayParts): LogPlace {
  return databaseUrl === undefined ? { file: path.join(dataDir, LOG_FILE) } : { databaseUrl };
}

function logCounters(metrics: Metrics): LogCounters {
  const name = (what: string): string => `latchkey_gateway_log_${what}_total`;
  return {
    dropped: metrics.counter(
      name('rows_dropped'),
      'Gateway log rows lost because the store was too slow or rejected them',
      [],
    ),
    bodiesDropped: metrics.counter(
      name('bodies_dropped'),
      'Gateway log rows stored without bodies because the store was too slow',
      [],
    ),
    leftOut: metrics.counter(
      name('rows_left_out'),
      'Gateway log rows discarded because their gateway had reached its limit',
      [],
    ),
  };
}

function guardedAgentOf({ upstreamAllow, ownPort, forwardProxies: proxies }: GatewayParts) {
  return createGuardedAgent(upstreamAllow, CONNECT_TIMEOUT_MS, { ownPort, proxies });
}

function createExporter(parts: GatewayParts): OtelExporter {
  const { metrics, clock, report, brand } = parts;
  const name = (what: string): string => `latchkey_gateway_otel_spans_${what}`;
  const exporter = new OtelExporter({
    // A separate agent: receivers of spans must not use up the connections to providers.
    agent: guardedAgentOf(parts),
    clock,
    report,
    serviceName: brand,
    sent: metrics.counter(name('sent_total'), 'Spans exported', []),
    dropped: metrics.counter(name('dropped_total'), 'Spans lost', ['reason']),
  });
  metrics.gauge(name('queued'), 'Spans in the export queue', () => exporter.queuedSpans);
  return exporter;
}

function addCacheMetrics(metrics: Metrics, cache: ResponseCache): void {
  const name = (what: string): string => `latchkey_gateway_cache_${what}`;
  metrics.gauge(name('entries'), 'Cached responses', () => cache.stats.entries);
  metrics.gauge(name('bytes'), 'Memory used by cached responses', () => cache.stats.bytes);
  metrics.gauge(name('hits_total'), 'Cache hits', () => cache.stats.hits);
  metrics.gauge(name('misses_total'), 'Cache misses', () => cache.stats.misses);
}
