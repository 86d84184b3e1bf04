import type { QueueBudget } from './queue-budget.ts';
import type { Delivery } from './send-spans.ts';

/** The delays of exports. */
export interface ExportPace {
  /** Delay in which spans are collected for one request. */
  batchDelayMs: number;
  callTimeoutMs: number;
  /** Delay between two attempts, which doubles with each failure. */
  minRetryMs: number;
  maxRetryMs: number;
  /** Time from the first attempt of a batch until it is dropped. */
  giveUpAfterMs: number;
  /** Time limit for queued spans when the server stops. */
  stopTimeoutMs: number;
}

// A request of about 700 KB.
const MAX_BATCH_SPANS = 512;
const MAX_BATCH_BYTES = 1024 * 1024;
// The spans of a minute without the receiver, at fifty requests per second.
const MAX_QUEUED_SPANS = 4_096;
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

/** The reason for dropped spans. */
export type DropReason =
  /** The memory budget was used up. */
  | 'queue_full'
  /** The receiver rejected them. */
  | 'refused'
  /** The receiver was unavailable for too long. */
  | 'given_up'
  /** The server has stopped. */
  | 'stopping';

/** The dependencies of a queue. */
export interface TargetQueueParts {
  pace: ExportPace;
  budget: QueueBudget;
  send(spans: readonly string[]): Promise<Delivery>;
  drop(reason: DropReason, spans: number): void;
  /** Counts spans that arrived. */
  arrived(spans: number): void;
  /** Reports the first of successive failures. */
  report(error: Error): void;
  /** Called when the queue is empty and the receiver available. */
  onIdle(): void;
}

interface Batch {
  spans: readonly string[];
  bytes: number;
}

/** The queued spans of one receiver. They are sent in their order, one batch at a time. */
export class TargetQueue {
  readonly #parts: TargetQueueParts;
  #spans: string[] = [];
  /** Bytes of the queued spans and of the batch in progress. */
  #held = { spans: 0, bytes: 0 };
  /** Number of successive failures. */
  #failures = 0;
  #running: Promise<void> | undefined;
  #isRunning = false;
  #isGathering = false;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(parts: TargetQueueParts) {
    this.#parts = parts;
  }

  /** No span is queued or in progress. */
  get isIdle(): boolean {
    return !this.#isRunning;
  }

  /** Queues a span, or drops it if the budget is used up. */
  push(span: string): void {
    const bytes = Buffer.byteLength(span);
    const { spans: heldSpans, bytes: heldBytes } = this.#held;
    if (this.#isStopping) return this.#parts.drop('stopping', 1);
    const fits = heldSpans < MAX_QUEUED_SPANS && heldBytes + bytes <= MAX_QUEUED_BYTES;
    const isTaken = fits && this.#parts.budget.take(bytes, heldBytes);
    if (!isTaken) return this.#parts.drop('queue_full', 1);
    this.#held = { spans: heldSpans + 1, bytes: heldBytes + bytes };
    this.#spans.push(span);
    if (this.#isGathering && this.#hasFullBatch) this.#wake();
    if (!this.#isRunning) this.#running = this.#run();
  }

  /** Sends all queued spans at once, each batch once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#running;
  }

  get #hasFullBatch(): boolean {
    return this.#spans.length >= MAX_BATCH_SPANS;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#spans.length > 0) {
      this.#isGathering = true;
      if (!this.#hasFullBatch) await this.#pause(this.#parts.pace.batchDelayMs);
      this.#isGathering = false;
      await this.#deliver(this.#nextBatch());
    }
    // In the same turn, so that the next span starts again.
    this.#isRunning = false;
    if (this.#failures === 0) this.#parts.onIdle();
  }

  #nextBatch(): Batch {
    let bytes = 0;
    let count = 0;
    for (const span of this.#spans) {
      const size = Buffer.byteLength(span);
      if (count === MAX_BATCH_SPANS || (count > 0 && bytes + size > MAX_BATCH_BYTES)) break;
      bytes += size;
      count++;
    }
    const spans = this.#spans.slice(0, count);
    this.#spans = this.#spans.slice(count);
    return { spans, bytes };
  }

  /** Sends a batch until it arrives, is rejected or is dropped. */
  async #deliver(batch: Batch): Promise<void> {
    const { pace } = this.#parts;
    const giveUpAtMs = performance.now() + pace.giveUpAfterMs;
    for (;;) {
      const delivery = await this.#parts.send(batch.spans);
      if (delivery.kind !== 'busy') return this.#conclude(batch, delivery);
      this.#note(delivery.error);
      const isOver = this.#isStopping || performance.now() >= giveUpAtMs;
      if (isOver) this.#release(batch, this.#isStopping ? 'stopping' : 'given_up');
      // The next batch would fail too.
      await this.#pause(this.#waitMs(delivery.retryAfterMs));
      if (isOver) return;
    }
  }

  #conclude(batch: Batch, delivery: Exclude<Delivery, { kind: 'busy' }>): void {
    if (delivery.kind === 'refused') {
      this.#note(delivery.error);
      return this.#release(batch, 'refused');
    }
    const rejected = Math.min(delivery.rejectedSpans, batch.spans.length);
    if (rejected === 0) this.#failures = 0;
    else this.#note(new Error(`the receiver rejected ${rejected} spans: ${delivery.reason}`));
    this.#parts.arrived(batch.spans.length - rejected);
    this.#release(batch, 'refused', rejected);
  }

  /** Ends a batch. */
  #release({ spans, bytes }: Batch, reason: DropReason, lost = spans.length): void {
    this.#held = { spans: this.#held.spans - spans.length, bytes: this.#held.bytes - bytes };
    this.#parts.budget.release(bytes, spans.length);
    if (lost > 0) this.#parts.drop(reason, lost);
  }

  #note(error: Error): void {
    this.#failures++;
    if (this.#failures === 1) this.#parts.report(error);
  }

  /** Returns the delay that the receiver requests, up to the time limit of a batch, or else a growing delay. */
  #waitMs(askedMs: number | undefined): number {
    const { minRetryMs, maxRetryMs, giveUpAfterMs } = this.#parts.pace;
    const mostMs = Math.min(maxRetryMs, minRetryMs * 2 ** (this.#failures - 1));
    // Nodes that fail at the same time must not retry at the same time.
    const backoffMs = mostMs * (0.5 + Math.random() / 2);
    return Math.max(backoffMs, Math.min(askedMs ?? 0, giveUpAfterMs));
  }

  async #pause(waitMs: number): Promise<void> {
    if (this.#isStopping) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
