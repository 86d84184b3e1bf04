import type { Counter } from 'prom-client';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { settledWithin } from '../../lib/deadline.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { type GatewayRequest, isLocal, type ProviderStep } from '../gateway-request.ts';
import type { Usage } from '../usage/usage.ts';
import { Attributes } from './attributes.ts';
import type { OtelTarget } from '../../gateway-admin/snapshot.ts';
import { QueueBudget } from './queue-budget.ts';
import { sendSpans } from './send-spans.ts';
import { type SpanRow, formatSpan } from './span.ts';
import { type ExportPace, TargetQueue } from './target-queue.ts';

export interface OtelExporterParts {
  /** Refuses addresses that others must not make the server connect to; the exporter's own. */
  agent: Dispatcher;
  clock: Clock;
  report: ReportTrouble;
  sent: Counter;
  dropped: Counter<'reason'>;
  /** `service.name` of the spans. */
  serviceName: string;
  pace?: ExportPace;
}

const DEFAULT_PACE: ExportPace = {
  batchDelayMs: 1_000,
  // As in the SDKs of OpenTelemetry.
  callTimeoutMs: 10_000,
  minRetryMs: 1_000,
  maxRetryMs: 30_000,
  giveUpAfterMs: 5 * 60_000,
  stopTimeoutMs: 3_000,
};

// Of all receivers together.
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
const MAX_QUEUES = 1_000;

/** What is known of a step that is over. */
export interface CompletedStep {
  request: GatewayRequest;
  step: ProviderStep;
  /** What is logged of it, or would be. */
  row: SpanRow;
  isLogged: boolean;
  usage: Usage;
}

/**
 * Sends a span of each request to where the gateway's owner wants them. The request path hands them
 * over and never waits: queues are bounded, and what does not fit, or is not taken, is counted.
 */
export class OtelExporter {
  readonly #parts: OtelExporterParts;
  readonly #pace: ExportPace;
  readonly #budget = new QueueBudget(MAX_QUEUED_BYTES);
  /** Those in use; one that is done with its spans goes. */
  readonly #queues = new Map<string, TargetQueue>();
  /** When the latest step of an request ended: the next one began then. */
  readonly #ends = new WeakMap<GatewayRequest, number>();
  readonly #envelope: readonly [begin: string, end: string];
  #isStopped = false;

  constructor(parts: OtelExporterParts) {
    this.#parts = parts;
    this.#pace = parts.pace ?? DEFAULT_PACE;
    this.#envelope = envelopeOf(parts.serviceName);
  }

  /** Spans that wait or are under way. */
  get queuedSpans(): number {
    return this.#budget.spans;
  }

  /** Takes a step that is over. Costs nothing where its gateway exports no spans. */
  record({ request, step, row, isLogged, usage }: CompletedStep): void {
    const { otelTargets } = request.gateway;
    if (otelTargets.length === 0) return;
    const { traceparent } = request.headers;
    const span = formatSpan({
      row,
      isLogged,
      cacheWriteTokens: usage.cacheWriteTokens,
      endpoint: isLocal(step.route) ? undefined : step.route.endpoint,
      requestId: request.id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      startMs: this.#ends.get(request) ?? row.created_at,
    });
    this.#ends.set(request, row.created_at + row.duration_ms);
    for (const target of otelTargets) this.#push(target, span);
  }

  /** Sends what waits, as far as there is time, counts what is lost, and closes its connections. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const stopped = Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
    await settledWithin(this.#pace.stopTimeoutMs, stopped);
    // What is under way still fails now, and everything behind it.
    await this.#parts.agent.destroy();
    await stopped;
  }

  #push(target: OtelTarget, span: string): void {
    const { dropped } = this.#parts;
    if (this.#isStopped) return dropped.inc({ reason: 'stopping' });
    const queue = this.#queues.get(target.key) ?? this.#open(target);
    if (queue === undefined) dropped.inc({ reason: 'queue_full' });
    else queue.push(span);
  }

  #open(target: OtelTarget): TargetQueue | undefined {
    if (this.#queues.size >= MAX_QUEUES && !this.#forgetTrouble()) return undefined;
    const { sent, dropped, report } = this.#parts;
    const { key, accountId, gatewayId, url } = target;
    const queue = new TargetQueue({
      pace: this.#pace,
      budget: this.#budget,
      send: (spans) => this.#send(target, spans),
      drop: (reason, spans) => dropped.inc({ reason }, spans),
      arrived: (spans) => sent.inc(spans),
      // Neither the path nor the headers: both may hold credentials.
      report: (error) =>
        report(
          error,
          `failed to send spans of the gateway ${gatewayId} of the account ${accountId} to ${url.origin}`,
        ),
      onIdle: () => this.#queues.delete(key),
    });
    this.#queues.set(key, queue);
    return queue;
  }

  /** Makes budget among queues that are only there to remember trouble; answers whether there is some. */
  #forgetTrouble(): boolean {
    for (const [key, queue] of this.#queues) {
      if (queue.isIdle) return this.#queues.delete(key);
    }
    return false;
  }

  #send(target: OtelTarget, spans: readonly string[]) {
    const [begin, end] = this.#envelope;
    return sendSpans(target, begin + spans.join(',') + end, {
      dispatcher: this.#parts.agent,
      timeoutMs: this.#pace.callTimeoutMs,
      nowMs: this.#parts.clock.now(),
    });
  }
}

/** An ExportTraceServiceRequest around its spans. */
function envelopeOf(serviceName: string): [begin: string, end: string] {
  const attributes = JSON.stringify(new Attributes().text('service.name', serviceName).list);
  const scope = JSON.stringify({ name: 'latchkey.gateway' });
  return [
    `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":${scope},"spans":[`,
    ']}]}]}',
  ];
}
