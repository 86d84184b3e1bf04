import type { FastifyInstance } from 'fastify';
import type { Dispatcher } from 'undici';
import { createGuardedAgent } from '../http/guarded-agent.ts';
import type { Metrics } from '../http/metrics.ts';
import { createTrustedAgent } from '../http/trusted-agent.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import type { MasterKey } from '../lib/sealing.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
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
import { SpendMetrics } from './limits/spend-metrics.ts';
import { HeaderAllowList } from '../request-log/record.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import { PayloadBudget } from './capture/payload-budget.ts';
import { createPrices } from './pricing/cost.ts';
import type { OwnPrices } from './pricing/own-prices.ts';
import { type PriceSource, addPriceRefresh } from './pricing/refresh-prices.ts';
import { createProviders } from './providers/catalogue.ts';
import { ResponseCache } from './response/cache/response-cache.ts';
import { ProviderModels } from './routing/provider-models.ts';
import { ProviderRegistry } from './routing/provider-registry.ts';
import type { Provider, ProviderSettings } from './providers/provider.ts';
import type { RuleSpend, SpendRule } from '../gateway-admin/snapshot.ts';

type TimeoutSettings = Pick<
  GatewayRuntime,
  'jsonMaxDepth' | 'upstreamHeadersTimeoutMs' | 'upstreamIdleTimeoutMs' | 'streamPingIntervalMs'
>;

export interface GatewayParts
  extends Omit<AdmissionServices, 'lastSeen'>, IngressOptions, TimeoutSettings {
  masterKey: MasterKey;
  /** Private addresses that custom providers and span receivers may have. */
  upstreamAllow: readonly AllowedTarget[];
  metrics: Metrics;
  report: ReportTrouble;
  /** The price file of the operator. */
  ownPrices: OwnPrices;
  /** Undefined: the table of public prices is not updated. */
  priceSource: PriceSource | undefined;
  work: PeriodicWork;
  requestLog: RequestLog;
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
  forgetSpend(accountId: string, gatewayId?: string): Promise<boolean>;
}

/** The interface of the AI gateway to the rest of the server. */
export interface AiGateway {
  /** Routes of the operations on models. */
  routes: ManagementRoute[];
  /** The data that the management of gateways reads and deletes. */
  data: RequestData;
  /** Registers the request path. */
  register(http: FastifyInstance): Promise<void>;
  /**
   * Aborts the calls of providers in progress. Their clients get an error.
   * @returns false if there were none
   */
  endCalls(): boolean;
  /** Call it after the last request: closes all connections, and returns the leased quota. */
  stop(): Promise<void>;
}

/** Creates the gateway. */
export function createGateway(parts: GatewayParts): AiGateway {
  const { database, metrics, work, requestLog } = parts;
  const agents = {
    agent: createTrustedAgent(CONNECT_TIMEOUT_MS, parts.forwardProxies),
    guardedAgent: createGuardedAgent(parts.upstreamAllow, CONNECT_TIMEOUT_MS, {
      ownPort: parts.ownPort,
      proxies: parts.forwardProxies,
    }),
  };
  const { providers, models } = createRegistry(parts, agents);
  const charging = createCharging(parts, agents);
  const { limits, prices, deferred } = charging;
  const runtime: GatewayRuntime = {
    ...parts,
    providers,
    charging,
    ...createCaches(parts),
    requestLog,
    payloadBudget: createPayloadBudget(metrics),
    headerAllowList: new HeaderAllowList(),
    activeCalls: new ActiveCalls(),
    upstreamErrors: createUpstreamErrors(metrics),
  };
  const admission = { ...parts, lastSeen: parts.sessions.lastSeen };
  deferred.addTo(work);
  if (parts.priceSource !== undefined) {
    addPriceRefresh(work, agents.agent, prices, parts.priceSource);
  }
  return {
    routes: [searchModelsRoute({ database, providers, models })],
    data: {
      builtInProviders: providers.builtIn,
      spendOf: (gateway, rule) => limits.spentOf(gateway, rule),
      deleteDeferredCalls,
      forgetSpend: (accountId, id) => forgetSpend(database, accountId, id),
    },
    register: (http) => registerGateway(http, { admission, models, runtime }, parts),
    endCalls: () => runtime.activeCalls.abortAll(),
    async stop() {
      await Promise.all([agents.agent.destroy(), agents.guardedAgent.destroy()]);
      await limits.stop();
    },
  };
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

function createCharging(parts: GatewayParts, agents: Agents): ChargeServices {
  const { clock, report, ownPrices, metrics } = parts;
  const prices = createPrices(report, ownPrices);
  const deferred = new DeferredCalls({ ...parts, ...agents, prices });
  const spendMetrics = new SpendMetrics(metrics);
  return { clock, limits: new GatewayLimits(parts), prices, deferred, spendMetrics };
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

function addCacheMetrics(metrics: Metrics, cache: ResponseCache): void {
  const name = (what: string): string => `latchkey_gateway_cache_${what}`;
  metrics.gauge(name('entries'), 'Cached responses', () => cache.stats.entries);
  metrics.gauge(name('bytes'), 'Memory used by cached responses', () => cache.stats.bytes);
  metrics.gauge(name('hits_total'), 'Cache hits', () => cache.stats.hits);
  metrics.gauge(name('misses_total'), 'Cache misses', () => cache.stats.misses);
}
