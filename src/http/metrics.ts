import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Connections } from './connections.ts';
import { Histogram, type HistogramSeries } from './histogram.ts';

// From a cache hit to a long completion, in seconds.
const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30,
];

let ofProcess: Registry | undefined;

/**
 * Returns the metrics of the process, which all its servers share: the library never stops to measure them, and metrics of
 * one server would keep that server in memory after its stop.
 */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The metrics of one server. Each domain adds its own. */
export class Metrics {
  readonly #process = processRegistry();
  readonly registry = new Registry();
  readonly #histograms: Histogram<string>[] = [];
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #durations = new Map<string, HistogramSeries>();

  constructor() {
    this.#duration = this.histogram(
      'http_request_duration_seconds',
      'Time from the arrival of a request to the end of its response',
      DURATION_BUCKETS_SECONDS,
    );
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /**
   * Adds a counter with a value for each set of labels.
   * @param read called for each request for the metrics; no value ever decreases
   */
  counters<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => [labels: Record<Label, string>, value: number][],
  ): void {
    const counter: Counter<Label> = new Counter({
      name,
      help,
      labelNames,
      registers: [],
      collect() {
        counter.reset();
        for (const [labels, value] of read()) counter.inc(labels, value);
      },
    });
    this.registry.registerMetric(counter);
  }

  /**
   * Adds a histogram.
   * @param bounds upper bounds of the buckets, ascending
   */
  histogram<Label extends string>(
    name: string,
    help: string,
    bounds: readonly number[],
  ): Histogram<Label> {
    const histogram = new Histogram<Label>(name, help, bounds);
    this.#histograms.push(histogram);
    return histogram;
  }

  /**
   * Adds a gauge with a value for each set of labels.
   * @param read called for each request for the metrics
   */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => [labels: Record<Label, string>, value: number][],
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      collect() {
        gauge.reset();
        for (const [labels, value] of read()) gauge.set(labels, value);
      },
    });
    this.registry.registerMetric(gauge);
  }

  /**
   * Adds a gauge.
   * @param read called for each request for the metrics
   */
  gauge(name: string, help: string, read: () => number): void {
    this.gauges(name, help, [], () => [[{}, read()]]);
  }

  /**
   * Adds a counter.
   * @param read called for each request for the metrics; the value never decreases
   */
  counted(name: string, help: string, read: () => number): void {
    this.counters(name, help, [], () => [[{}, read()]]);
  }

  /** Adds constant facts, as labels of a gauge with the value 1. */
  info(name: string, help: string, facts: Record<string, string>): void {
    const labelNames = Object.keys(facts);
    new Gauge({ name, help, labelNames, registers: [this.registry] }).set(facts, 1);
  }

  /** Returns these metrics and those of the process in the Prometheus text format. */
  async text(): Promise<string> {
    const texts = await Promise.all([this.#process.metrics(), this.registry.metrics()]);
    return [...texts, ...this.#histograms.map((histogram) => histogram.text())].join('\n');
  }

  /**
   * Counts a request.
   * @param route pattern of the route instead of the path, to limit the number of series
   */
  observeRequest(method: string, route: string, status: number, durationMs: number): void {
    const key = `${status} ${method} ${route}`;
    let series = this.#durations.get(key);
    if (series === undefined) {
      series = this.#duration.series({ method, route, status: String(status) });
      this.#durations.set(key, series);
    }
    series.observe(durationMs / 1_000);
  }
}

/** Adds `GET /metrics` in the Prometheus text format, and measures every request. */
export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
  addConnectionMetrics(app.connections, metrics);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.text();
  });
}

function addConnectionMetrics({ counts }: Connections, metrics: Metrics): void {
  const name = (what: string): string => `latchkey_connections_${what}`;
  metrics.gauge(name('open'), 'Connections of clients', () => counts.open);
  metrics.counted(
    name('refused_total'),
    'Connections rejected because the total limit was reached',
    () => counts.refused,
  );
  metrics.counted(
    name('refused_by_address_total'),
    'Connections rejected because the limit of their address was reached',
    () => counts.refusedByNetwork,
  );
  metrics.counted(
    name('slow_total'),
    'Connections closed because a request body arrived too slowly',
    () => counts.slow,
  );
  metrics.counted(
    name('not_taken_total'),
    'Connections closed because the client did not read its response',
    () => counts.notTaken,
  );
  metrics.counted(
    name('pipelined_total'),
    'Connections closed because too many pipelined requests arrived',
    () => counts.pipelined,
  );
}
