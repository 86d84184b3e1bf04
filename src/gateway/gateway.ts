import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Agent } from 'undici';
import type { LastUsed } from '../iam/last-used.ts';
import type { Changes } from '../iam/changes.ts';
import type { Credentials } from '../iam/credentials.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { GatewayServices } from './gateway-services.ts';
import { GatewayDirectory } from './gateways/gateway-directory.ts';
import { LogWriter } from './logs/log-writer.ts';
import { createPostgresLogStore } from './logs/postgres-log-store.ts';
import { createSqliteLogStore } from './logs/sqlite-log-store.ts';
import { type ProviderSettings, createProviders } from './providers/index.ts';
import { registerGateway } from './register-gateway.ts';
import { gatewayRoutes } from './routes.ts';

export interface GatewayParts {
  database: Database;
  clock: Clock;
  changes: Changes;
  credentials: Credentials;
  lastUsed: LastUsed;
  lastUsedGrants: LastUsed;
  metrics: Metrics;
  report: ReportTrouble;
  dataDir: string;
  providers: ReadonlyMap<string, ProviderSettings>;
  upstreamHeadersTimeoutMs: number;
  upstreamIdleTimeoutMs: number;
  /** Prefix of the REST API, `/client/v4`. */
  apiPrefix: string;
  bodyLimitBytes: number;
  jsonMaxDepth: number;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The AI gateway as the rest of the server sees it. */
export interface AiGateway {
  /** The management API's part. */
  routes: ManagementRoute[];
  /** Registers the request path. */
  register(http: FastifyInstance): Promise<void>;
  /** Opens the log store. */
  start(): Promise<void>;
  /** Rejects while logs cannot be kept. */
  ping(): Promise<void>;
  /** Deletes some logs of a deleted account; answers whether there may be more. */
  purgeAccountLogs(accountId: string): Promise<boolean>;
  /** After the last request: writes what is buffered and closes what is open. */
  stop(): Promise<void>;
}

/** Puts the gateway together from what the rest of the server gives it. */
export function createGateway(parts: GatewayParts): AiGateway {
  const services = createServices(parts);
  const agent = new Agent({ connectTimeout: CONNECT_TIMEOUT_MS });
  return {
    routes: gatewayRoutes(services),
    register: (http) => registerGateway(http, services, agent, parts),
    start: () => services.logStore.open(),
    async ping() {
      if (services.logWriter.failure !== undefined) throw services.logWriter.failure;
      await services.logStore.ping();
    },
    purgeAccountLogs: (accountId) => services.logStore.purgeAccount(accountId),
    async stop() {
      await agent.destroy();
      await services.logWriter.stop();
      await services.logStore.close();
    },
  };
}

function createServices(parts: GatewayParts): GatewayServices {
  const { database, clock, changes, credentials, lastUsed, lastUsedGrants, metrics, report } =
    parts;
  const logStore =
    database.dialect === 'sqlite'
      ? createSqliteLogStore(path.join(parts.dataDir, 'gateway-logs.db'))
      : createPostgresLogStore(database);
  const dropped = metrics.counter(
    'latchkey_gateway_log_rows_dropped_total',
    'Gateway log rows that were lost because the store did not keep up',
    [],
  );
  return {
    database,
    clock,
    changes,
    credentials,
    lastUsed,
    lastUsedGrants,
    directory: new GatewayDirectory(database, clock),
    logStore,
    logWriter: new LogWriter(logStore, dropped, report),
    providers: createProviders(parts.providers),
    jsonMaxDepth: parts.jsonMaxDepth,
    upstreamHeadersTimeoutMs: parts.upstreamHeadersTimeoutMs,
    upstreamIdleTimeoutMs: parts.upstreamIdleTimeoutMs,
  };
}
