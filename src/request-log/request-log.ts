import path from 'node:path';
import { unavailable } from '../http/errors.ts';
import { createGuardedAgent } from '../http/guarded-agent.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ManagementRoute } from '../iam/route.ts';
import type { AllowedTarget } from '../lib/allowed-targets.ts';
import type { ForwardProxies } from '../lib/forward-proxies.ts';
import { LOG_FILE } from '../storage/log-file.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import type { LogServices } from './api/log-services.ts';
import { logRoutes } from './api/log-routes.ts';
import { type LogUpkeepParts, addLogUpkeep, logVisibility } from './log-retention.ts';
import type { LogStore } from './log-store.ts';
import type { LogRecord, LogRow, StepTrace } from './record.ts';
import { CallMetrics } from './telemetry/call-metrics.ts';
import { SpanExporter } from './telemetry/span-exporter.ts';
import { LogStoreError } from './threads/log-store-error.ts';
import type { LogPlace } from './threads/log-worker.ts';
import { createWorkerLogStore } from './threads/worker-log-store.ts';
import { type LogCounters, LogWriter } from './writer/log-writer.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** The log of the requests to gateways, with the metrics and the spans of their steps. */
export interface RequestLog {
  /** Routes of the operations on logs and analytics. */
  readonly routes: ManagementRoute[];
  /** Opens the log store. */
  start(): Promise<void>;
  /** @throws ApiError while the log store is unavailable */
  ping(): Promise<void>;
  /**
   * Counts a completed step in the metrics.
   * @param trace undefined: the step has no span
   */
  count(row: LogRow, trace?: StepTrace): void;
  /** Queues a record. Never waits. */
  write(record: LogRecord): void;
  /**
   * Deletes some logs of a deleted account.
   * @returns true if there may be more
   */
  purgeAccount(accountId: string): Promise<boolean>;
  /**
   * Deletes some logs of a gateway.
   * @returns true if there may be more
   */
  purgeGateway(accountId: string, gatewayId: string, beforeMs: number): Promise<boolean>;
  /** Call it after the last record: sends the queued spans, writes the queued records and closes the store. */
  stop(): Promise<void>;
}

export interface RequestLogParts
  extends
    Omit<LogUpkeepParts, 'logStore'>,
    Pick<LogServices, 'changes' | 'tagging' | 'findGateway'> {
  /** Name of this installation in exported spans. */
  brand: string;
  metrics: Metrics;
  report: ReportTrouble;
  dataDir: string;
  /** PostgreSQL connection string; undefined: the embedded database. */
  databaseUrl: string | undefined;
  /** Private addresses that receivers of spans may have. */
  upstreamAllow: readonly AllowedTarget[];
  /** The port of this server; undefined while it does not listen. */
  ownPort: () => number | undefined;
  forwardProxies: ForwardProxies;
}

/** Creates the request log, and adds its jobs. */
export function createRequestLog(parts: RequestLogParts): RequestLog {
  const { clock, metrics, report, logRetentionDays } = parts;
  const logStore = createWorkerLogStore(logPlaceOf(parts), clock);
  const logWriter = createLogWriter(logStore, metrics, report);
  const callMetrics = new CallMetrics(metrics);
  const exporter = createExporter(parts);
  const logsVisibleSinceMs = logVisibility(clock, logRetentionDays);
  addLogUpkeep({ ...parts, logStore });
  return {
    routes: logRoutes({ ...parts, logStore, logWriter, logsVisibleSinceMs }),
    start: () => logStore.open(),
    ping: () => pingStore(logWriter, logStore),
    count(row, trace) {
      callMetrics.record(row);
      if (trace !== undefined) exporter.record(row, trace);
    },
    write: (record) => logWriter.push(record),
    purgeAccount: (accountId) => logStore.purgeAccount(accountId),
    purgeGateway: (...gateway) => logStore.purgeGateway(...gateway),
    async stop() {
      await Promise.all([exporter.stop(), logWriter.stop()]);
      await logStore.close();
    },
  };
}

async function pingStore(writer: LogWriter, store: LogStore): Promise<void> {
  try {
    if (writer.failure !== undefined) throw writer.failure;
    await store.ping();
  } catch (error) {
    const reason = error instanceof LogStoreError ? error.reason : undefined;
    const why = reason === undefined ? '' : `: ${reason}`;
    throw unavailable(`failed to write gateway logs${why}`, error);
  }
}

function logPlaceOf({ dataDir, databaseUrl }: RequestLogParts): LogPlace {
  return databaseUrl === undefined ? { file: path.join(dataDir, LOG_FILE) } : { databaseUrl };
}

function createLogWriter(store: LogStore, metrics: Metrics, report: ReportTrouble): LogWriter {
  const writer = new LogWriter(store, logCounters(metrics), report);
  metrics.gauge(
    'latchkey_gateway_log_queued_rows',
    'Gateway log rows in the write queue',
    () => writer.queuedRows,
  );
  return writer;
}

function logCounters(metrics: Metrics): LogCounters {
  const name = (event: string): string => `latchkey_gateway_log_${event}_total`;
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

function createExporter(parts: RequestLogParts): SpanExporter {
  const { metrics, clock, report, brand, upstreamAllow, ownPort, forwardProxies } = parts;
  const name = (metric: string): string => `latchkey_gateway_otel_spans_${metric}`;
  const exporter = new SpanExporter({
    // A separate agent: receivers of spans must not use up the connections to providers.
    agent: createGuardedAgent(upstreamAllow, CONNECT_TIMEOUT_MS, {
      ownPort,
      proxies: forwardProxies,
    }),
    clock,
    report,
    serviceName: brand,
    sent: metrics.counter(name('sent_total'), 'Spans exported', []),
    dropped: metrics.counter(name('dropped_total'), 'Spans lost', ['reason']),
  });
  metrics.gauge(name('queued'), 'Spans in the export queue', () => exporter.queuedSpans);
  return exporter;
}
