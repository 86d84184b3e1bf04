import type { ReportTrouble } from './invalidation.ts';
import type { StorageTrouble } from './storage-trouble.ts';

// Callers of a disk that is nearly full see it come and go: the log says so once in a while.
const REPORT_INTERVAL_MS = 10_000;
const PROBE_INTERVAL_MS = 1_000;

/**
 * Remembers how the latest writes went, and while they fail tries one of its own when somebody asks:
 * reads may well go on when nothing can be written.
 */
export class WriteWatch {
  readonly #report: ReportTrouble;
  readonly #probe: () => Promise<void>;
  readonly #troubleOf: (error: unknown) => StorageTrouble | undefined;
  #failures = 0;
  #failure: { error: unknown; reason: string } | undefined;
  #reportedAtMs = -Infinity;
  #isReported = false;
  #probedAtMs = -Infinity;
  #probing: Promise<void> | undefined;

  /** @param probe writes something, to see whether that is possible */
  constructor(
    report: ReportTrouble,
    troubleOf: (error: unknown) => StorageTrouble | undefined,
    probe: () => Promise<void>,
  ) {
    this.#report = report;
    this.#troubleOf = troubleOf;
    this.#probe = probe;
  }

  /** How many writes failed because of storage, since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the latest write did not fail because of storage. */
  get isWritable(): boolean {
    return this.#failure === undefined;
  }

  /** Notes the outcome of a write, and rejects with its error. */
  async observe<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write;
      // What changed nothing succeeds on a full disk, too.
      if (this.#failure !== undefined) void this.#tryOnce();
      return result;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Rejects while nothing can be written. Costs nothing while all is well. */
  async check(): Promise<void> {
    if (this.#failure === undefined) return;
    const isDue = performance.now() - this.#probedAtMs >= PROBE_INTERVAL_MS;
    await (isDue ? this.#tryOnce() : this.#probing);
    // The probe may have changed it.
    const failure = this.#failure as { error: unknown } | undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** One probe at a time, for all who want to know. */
  #tryOnce(): Promise<void> {
    this.#probing ??= this.#try();
    return this.#probing;
  }

  async #try(): Promise<void> {
    this.#probedAtMs = performance.now();
    try {
      await this.#probe();
      this.#succeed();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#probing = undefined;
    }
  }

  #succeed(): void {
    if (this.#failure === undefined) return;
    const { reason } = this.#failure;
    this.#failure = undefined;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#report(new Error(`recovered: ${reason}`), 'storage accepts writes again');
  }

  #fail(error: unknown): void {
    const trouble = this.#troubleOf(error);
    if (trouble === undefined) return;
    const { reason } = trouble;
    this.#failures++;
    const isNew = this.#failure?.reason !== reason;
    this.#failure = { error, reason };
    const nowMs = performance.now();
    if (!isNew || nowMs - this.#reportedAtMs < REPORT_INTERVAL_MS) return;
    this.#reportedAtMs = nowMs;
    this.#isReported = true;
    this.#report(error as Error, `storage does not accept writes: ${reason}`);
  }
}
