import type { Counter } from 'prom-client';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { settledWithin } from '../../lib/deadline.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import type { SpanTarget, StepTrace } from '../record.ts';
import { Attributes } from './attributes.ts';
import { QueueBudget } from './queue-budget.ts';
import { sendSpans } from './send-spans.ts';
import { type SpanRow, formatSpan } from './span.ts';
import { type ExportPace, TargetQueue } from './target-queue.ts';

export interface SpanExporterParts {
  /** Refuses private addresses. Used only by the exporter. */
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

// For all receivers together.
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
const MAX_QUEUES = 1_000;

/**
 * Sends the spans of requests to the receivers of their gateways. The request path never waits. Queues are bounded, and
 * dropped spans are counted.
 */
export class SpanExporter {
  readonly #parts: SpanExporterParts;
  readonly #pace: ExportPace;
  readonly #budget = new QueueBudget(MAX_QUEUED_BYTES);
  /** The queues in use. An idle queue is removed. */
  readonly #queues = new Map<string, TargetQueue>();
  readonly #envelope: readonly [begin: string, end: string];
  #isStopped = false;

  constructor(parts: SpanExporterParts) {
    this.#parts = parts;
    this.#pace = parts.pace ?? DEFAULT_PACE;
    this.#envelope = envelopeOf(parts.serviceName);
  }

  /** Spans in the queues and in requests. */
  get queuedSpans(): number {
    return this.#budget.spans;
  }

  /** Queues the span of a completed step for each receiver. */
  record(row: SpanRow, trace: StepTrace): void {
    const span = formatSpan(row, trace);
    for (const target of trace.targets) this.#push(target, span);
  }

  /** Sends queued spans until the timeout, counts dropped ones, and closes all connections. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const stopped = Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
    await settledWithin(this.#pace.stopTimeoutMs, stopped);
    // Requests in progress fail now, and so do the spans after them.
    await this.#parts.agent.destroy();
    await stopped;
  }

  #push(target: SpanTarget, span: string): void {
    const { dropped } = this.#parts;
    if (this.#isStopped) return dropped.inc({ reason: 'stopping' });
    const queue = this.#queues.get(target.key) ?? this.#open(target);
    if (queue === undefined) dropped.inc({ reason: 'queue_full' });
    else queue.push(span);
  }

  #open(target: SpanTarget): TargetQueue | undefined {
    if (this.#queues.size >= MAX_QUEUES && !this.#dropIdleQueue()) return undefined;
    const { sent, dropped, report } = this.#parts;
    const { key, accountId, gatewayId, url } = target;
    const queue = new TargetQueue({
      pace: this.#pace,
      budget: this.#budget,
      send: (spans) => this.#send(target, spans),
      drop: (reason, spans) => dropped.inc({ reason }, spans),
      arrived: (spans) => sent.inc(spans),
      // Without the path and the headers, which may contain credentials.
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

  /** Removes an idle queue, which only delays the next request to its receiver. Returns true if there was one. */
  #dropIdleQueue(): boolean {
    for (const [key, queue] of this.#queues) {
      if (queue.isIdle) return this.#queues.delete(key);
    }
    return false;
  }

  #send(target: SpanTarget, spans: readonly string[]) {
    const [begin, end] = this.#envelope;
    return sendSpans(target, begin + spans.join(',') + end, {
      dispatcher: this.#parts.agent,
      timeoutMs: this.#pace.callTimeoutMs,
      nowMs: this.#parts.clock.now(),
    });
  }
}

/** Returns the beginning and the end of an ExportTraceServiceRequest. */
function envelopeOf(serviceName: string): [begin: string, end: string] {
  const attributes = JSON.stringify(new Attributes().text('service.name', serviceName).list);
  const scope = JSON.stringify({ name: 'latchkey.gateway' });
  return [
    `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":${scope},"spans":[`,
    ']}]}]}',
  ];
}
