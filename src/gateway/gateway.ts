import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Dispatcher } from 'undici';
import { unavailable } from '../http/errors.ts';
import { createGuardedAgent } from '../http/guarded-agent.ts';
import type { Metrics } from '../http/metrics.ts';
import { createTrustedAgent } from '../http/trusted-agent.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import { LOG_FILE } from '../storage/log-file.ts';
import type { Transaction } from '../storage/schema.ts';
import type { PeriodicWork } from '../storage/periodic-work.ts';
import { deleteDeferredCalls } from './deferred/deferred-call-store.ts';
import { DeferredCalls } from './deferred/deferred-calls.ts';
import { ActiveCalls } from './execution/active-calls.ts';
import type { ChargeServices } from './execution/step-charge.ts';
import { createUpstreamErrors } from './execution/upstream-errors.ts';
import type { GatewayRuntime } from './execution/gateway-runtime.ts';
import type { AdmissionServices } from './ingress/admit.ts';
import { searchModelsRoute } from './ingress/search-models.ts';
import { type IngressOptions, registerGateway } from './ingress/register-gateway.ts';
import { forgetSpend } from './limits/forget-spend.ts';
import { GatewayLimits } from './limits/gateway-limits.ts';
import { PayloadBudget } from './capture/payload-budget.ts';
import { addLogUpkeep, logVisibility } from '../request-log/log-retention.ts';
import type { LogServices } from '../request-log/api/log-services.ts';
import type { LogStore } from '../request-log/log-store.ts';
import { type LogCounters, LogWriter } from '../request-log/writer/log-writer.ts';
import { RequestLog } from './capture/open-entry.ts';
import { logRoutes } from '../request-log/api/log-routes.ts';
import { LogStoreError } from '../request-log/threads/log-trouble.ts';
import type { LogPlace } from '../request-log/threads/log-worker.ts';
import { createWorkerLogStore } from '../request-log/threads/worker-log-store.ts';
import { GenAiMetrics } from './gen-ai-metrics.ts';
import { OtelExporter } from '../request-log/otlp/otel-exporter.ts';
import { createPrices } from './pricing/cost.ts';
import type { OwnPrices } from './pricing/own-prices.ts';
import { type PriceSource, addPriceRefresh } from './pricing/refresh-prices.ts';
import { createProviders } from './providers/catalogue.ts';
import { ResponseCache } from './response/cache/response-cache.ts';
import { ProviderModels } from './routing/provider-models.ts';
import { ProviderRegistry } from './routing/provider-registry.ts';
import type { Provider, ProviderSettings } from './providers/provider.ts';
import { type RuleSpend, type SpendRule, listLogLimits } from '../gateway-admin/snapshot.ts';

type TimeoutSettings = Pick<
  GatewayRuntime,
  'jsonMaxDepth' | 'upstreamHeadersTimeoutMs' | 'upstreamIdleTimeoutMs' | 'streamPingIntervalMs'
>;

export interface GatewayParts
  extends
    Omit<AdmissionServices, 'lastSeen'>,
    Pick<LogServices, 'changes' | 'tagging'>,
    IngressOptions,
    TimeoutSettings {
  masterKey: MasterKey;
  /** Name of this installation in exported spans. */
  brand: string;
  /** Private addresses that custom providers and span receivers may have. */
  upstreamAllow: readonly AllowedTarget[];
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
  work: PeriodicWork;
  /** The port of this server; undefined while it does not listen. */
  ownPort: () => number | undefined;
  forwardProxies: ForwardProxies;
  providers: ReadonlyMap<string, ProviderSettings>;
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

/** The data of requests that the management of gateways reads and deletes. */
export interface RequestData {
  builtInProviders: ReadonlyMap<string, Provider>;
  spendOf(gateway: { accountId: string; id: string }, rule: SpendRule): Promise<RuleSpend>;
  deleteDeferredCalls(tx: Transaction, accountId: string, gatewayId?: string): Promise<void>;
  purgeLogs(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  forgetSpend(accountId: string, gatewayId?: string): Promise<boolean>;
}

/** The interface of the AI gateway to the rest of the server. */
export interface AiGateway {
  /** Routes of the operations on logs, analytics and models. */
  routes: ManagementRoute[];
  /** The data that the management of gateways reads and deletes. */
  data: RequestData;
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
  const { database, clock, changes, tagging, metrics, report, work } = parts;
  const logStore = createWorkerLogStore(logPlaceOf(parts), clock);
  const logWriter = createLogWriter(logStore, metrics, report);
  const agents = {
    agent: createTrustedAgent(CONNECT_TIMEOUT_MS, parts.forwardProxies),
    guardedAgent: guardedAgentOf(parts),
  };
  const { providers, models } = createRegistry(parts, agents);
  const charging = createCharging(parts, { ...agents, logWriter });
  const { limits, prices, deferred, genAi } = charging;
  const otel = createExporter(parts);
  const payloadBudget = createPayloadBudget(metrics);
  const runtime: GatewayRuntime = {
    ...parts,
    providers,
    charging,
    ...createCaches(parts),
    requestLog: new RequestLog({ logWriter, payloadBudget, otel, genAi }),
    activeCalls: new ActiveCalls(),
    upstreamErrors: createUpstreamErrors(metrics),
  };
  const admission = { ...parts, lastSeen: parts.sessions.lastSeen };
  const logsVisibleSinceMs = logVisibility(clock, parts.logRetentionDays);
  const logs: LogServices = {
    database,
    clock,
    changes,
    tagging,
    findGateway: (accountId, id) => parts.gateways.readCreation(accountId, id),
    logStore,
    logWriter,
    logsVisibleSinceMs,
  };
  addLogUpkeep({ ...parts, logStore, listLogLimits });
  deferred.addTo(work);
  if (parts.priceSource !== undefined) {
    addPriceRefresh(work, agents.agent, prices, parts.priceSource);
  }
  return {
    routes: [...logRoutes(logs), searchModelsRoute({ database, providers, models })],
    data: {
      builtInProviders: providers.builtIn,
      spendOf: (gateway, rule) => limits.spentOf(gateway, rule),
      deleteDeferredCalls,
      purgeLogs: (...gateway) => logStore.purgeGateway(...gateway),
      forgetSpend: (accountId, id) => forgetSpend(database, accountId, id),
    },
    register: (http) => registerGateway(http, { admission, models, runtime }, parts),
    start: () => logStore.open(),
    ping: () => pingLogs(logs),
    purgeAccountLogs: (accountId) => logStore.purgeAccount(accountId),
    endCalls: () => runtime.activeCalls.abortAll(),
    async stop() {
      await Promise.all([agents.agent.destroy(), agents.guardedAgent.destroy()]);
      const exported = otel.stop();
      await limits.stop();
      await logWriter.stop();
      await exported;
      await logStore.close();
    },
  };
}

async function pingLogs({ logWriter, logStore }: LogServices): Promise<void> {
  try {
    if (logWriter.failure !== undefined) throw logWriter.failure;
    await logStore.ping();
  } catch (error) {
    const reason = error instanceof LogStoreError ? error.reason : undefined;
    const why = reason === undefined ? '' : `: ${reason}`;
    throw unavailable(`failed to write gateway logs${why}`, error);
  }
}

interface Agents {
  agent: Dispatcher;
  guardedAgent: Dispatcher;
}

function createRegistry(parts: GatewayParts, agents: Agents) {
  const { clock, ownPrices } = parts;
  const builtIn = createProviders(parts.providers, agents.agent);
  const providers = new ProviderRegistry({ builtIn, ...agents });
  return { providers, models: new ProviderModels({ providers, clock, ownPrices }) };
}

function createCharging(
  parts: GatewayParts,
  others: Agents & { logWriter: LogWriter },
): ChargeServices {
  const { clock, report, ownPrices, metrics } = parts;
  const prices = createPrices(report, ownPrices);
  const genAi = new GenAiMetrics(metrics);
  const deferred = new DeferredCalls({ ...parts, ...others, prices, genAi });
  return { clock, limits: new GatewayLimits(parts), prices, deferred, genAi };
}

function createCaches({ clock, metrics }: GatewayParts) {
  const cache = new ResponseCache({
    clock,
    maxBytes: CACHE_BYTES,
    maxRecordingBytes: RECORDING_BYTES,
  });
  addCacheMetrics(metrics, cache);
  return { cache, openCache: new ResponseCache({ clock, ...OPEN_CACHE }) };
}

function createPayloadBudget(metrics: Metrics): PayloadBudget {
  const budget = new PayloadBudget(KEPT_PAYLOAD_BYTES);
  metrics.gauge(
    'latchkey_gateway_log_passing_bytes',
    'Memory used by log data of responses in progress',
    () => budget.bytes,
  );
  return budget;
}

function createLogWriter(logStore: LogStore, metrics: Metrics, report: ReportTrouble): LogWriter {
  const writer = new LogWriter(logStore, logCounters(metrics), report);
  metrics.gauge(
    'latchkey_gateway_log_queued_rows',
    'Gateway log rows in the write queue',
    () => writer.queuedRows,
  );
  return writer;
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
