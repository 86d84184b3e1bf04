import type { QueueBudget } from './queue-budget.ts';
import type { Delivery } from './send-spans.ts';

/** How spans are sent, and how long is tried. */
export interface ExportPace {
  /** How long spans wait for others to be sent with. */
  batchDelayMs: number;
  callTimeoutMs: number;
  /** Between two tries; doubles with each failure. */
  minRetryMs: number;
  maxRetryMs: number;
  /** From the first try of a batch until it is given up. */
  giveUpAfterMs: number;
  /** What may still be sent when the server stops. */
  stopTimeoutMs: number;
}

// A request of some 700 KB.
const MAX_BATCH_SPANS = 512;
const MAX_BATCH_BYTES = 1024 * 1024;
// What a minute of trouble at fifty requests a second piles up.
const MAX_QUEUED_SPANS = 4_096;
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

/** Why spans are lost. */
export type DropReason =
  /** There was no budget for them. */
  | 'queue_full'
  /** The receiver did not want them. */
  | 'refused'
  /** The receiver was not to be reached for too long. */
  | 'given_up'
  /** The server has stopped. */
  | 'stopping';

/** What a queue works with. */
export interface TargetQueueParts {
  pace: ExportPace;
  budget: QueueBudget;
  send(spans: readonly string[]): Promise<Delivery>;
  drop(reason: DropReason, spans: number): void;
  /** They arrived. */
  arrived(spans: number): void;
  /** Once for each time of trouble. */
  report(error: Error): void;
  /** There is nothing to send, and no trouble to remember. */
  onIdle(): void;
}

interface Batch {
  spans: readonly string[];
  bytes: number;
}

/** The spans that wait for one receiver. They are sent in their order, one batch at a time. */
export class TargetQueue {
  readonly #parts: TargetQueueParts;
  #spans: string[] = [];
  /** Of those that wait, and of the batch that is under way. */
  #held = { spans: 0, bytes: 0 };
  /** Calls in a row that did not bring what they should. */
  #failures = 0;
  #running: Promise<void> | undefined;
  #isRunning = false;
  #isGathering = false;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(parts: TargetQueueParts) {
    this.#parts = parts;
  }

  /** Nothing waits, is under way or holds up what comes next. */
  get isIdle(): boolean {
    return !this.#isRunning;
  }

  /** Queues a span, or loses it when there is no budget. */
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

  /** Sends at once what is there, each batch once. */
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
    // In the same moment: a span that comes now begins anew.
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

  /** Sends a batch until it is taken, refused or given up. */
  async #deliver(batch: Batch): Promise<void> {
    const { pace } = this.#parts;
    const giveUpAtMs = performance.now() + pace.giveUpAfterMs;
    for (;;) {
      const delivery = await this.#parts.send(batch.spans);
      if (delivery.kind !== 'busy') return this.#conclude(batch, delivery);
      this.#note(delivery.error);
      const isOver = this.#isStopping || performance.now() >= giveUpAtMs;
      if (isOver) this.#release(batch, this.#isStopping ? 'stopping' : 'given_up');
      // The next batch would not fare better meanwhile.
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

  /** A batch is done with. */
  #release({ spans, bytes }: Batch, reason: DropReason, lost = spans.length): void {
    this.#held = { spans: this.#held.spans - spans.length, bytes: this.#held.bytes - bytes };
    this.#parts.budget.release(bytes, spans.length);
    if (lost > 0) this.#parts.drop(reason, lost);
  }

  #note(error: Error): void {
    this.#failures++;
    if (this.#failures === 1) this.#parts.report(error);
  }

  /** What the receiver asks for, as far as spans are kept; or else longer and longer. */
  #waitMs(askedMs: number | undefined): number {
    const { minRetryMs, maxRetryMs, giveUpAfterMs } = this.#parts.pace;
    const mostMs = Math.min(maxRetryMs, minRetryMs * 2 ** (this.#failures - 1));
    // Many nodes that fail together must not come back together.
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
