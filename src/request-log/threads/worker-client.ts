import { type Transferable, Worker } from 'node:worker_threads';
import { settledWithin } from '../../lib/deadline.ts';
import type { WorkerReply, WorkerCall, WorkerSettings } from './log-worker.ts';
import { LogStoreError, type StoreFailure } from './log-store-error.ts';

// A batch or a query takes longer only if the thread hangs.
const CLOSE_TIMEOUT_MS = 5_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | undefined;
}

export interface WorkerClientOptions extends WorkerSettings {
  /** Time limit of a call; undefined: none. */
  timeoutMs?: number;
  /** Time without a call after which the thread ends until the next one. */
  idleMs?: number;
  /** Time limit of the stop. */
  closeTimeoutMs?: number;
}

type ParametersOf<F> = F extends (...parameters: infer P) => unknown ? P : never;
type ResultOf<F> = F extends (...parameters: never[]) => Promise<infer R> ? R : never;

/**
 * A thread for the logs. The first call starts it, and the next call replaces a thread that ended. A batch that waits for the
 * disk, or a large query, never blocks a request.
 */
export class WorkerClient<Operations> {
  readonly #options: WorkerClientOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  /** The thread is running. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Calls an operation in the thread.
   * @param transfer buffers of the parameters that are moved to the thread
   * @throws LogStoreError
   */
  call<Name extends keyof Operations & string>(
    name: Name,
    parameters: ParametersOf<Operations[Name]>,
    transfer: readonly Transferable[] = [],
  ): Promise<ResultOf<Operations[Name]>> {
    return this.#send(name, parameters, transfer) as Promise<ResultOf<Operations[Name]>>;
  }

  /** Waits for the current work up to a time limit, and ends the thread. */
  async close(): Promise<void> {
    const { closeTimeoutMs = CLOSE_TIMEOUT_MS } = this.#options;
    const worker = this.#worker;
    const closed = worker === undefined ? undefined : this.#send('close', [], []);
    // A late call would start another thread, which would never end.
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    if (worker === undefined || closed === undefined) return;
    try {
      if (await settledWithin(closeTimeoutMs, closed)) await closed;
    } finally {
      this.#discardWorker(worker, closedError());
      // A thread that hangs in a system call does not receive this.
      await settledWithin(closeTimeoutMs, worker.terminate());
    }
  }

  #send(name: string, parameters: unknown[], transfer: readonly Transferable[]): Promise<unknown> {
    if (this.#isClosed) {
      return Promise.reject(closedError());
    }
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject, timer: this.#startTimeout(this.#worker) });
    const call: WorkerCall = { id, name, arguments: parameters };
    this.#worker.postMessage(call, transfer);
    return promise;
  }

  #startTimeout(worker: Worker): NodeJS.Timeout | undefined {
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined) return undefined;
    return setTimeout(() => {
      // A thread in a statement receives no messages, so other calls get a new one.
      this.#discardWorker(
        worker,
        new LogStoreError('unavailable', `no response after ${timeoutMs} ms`),
      );
      void worker.terminate();
    }, timeoutMs).unref();
  }

  #start(): Worker {
    const { role, place } = this.#options;
    const workerData: WorkerSettings = { role, place };
    const worker = new Worker(new URL('./log-worker.ts', import.meta.url), { workerData });
    worker.on('message', (reply: WorkerReply) => this.#settle(reply));
    worker.on('error', ({ message }: Error) =>
      this.#discardWorker(
        worker,
        new LogStoreError('unavailable', `the log thread failed: ${message}`),
      ),
    );
    worker.on('exit', () =>
      this.#discardWorker(worker, new LogStoreError('unavailable', 'the log thread exited')),
    );
    return worker;
  }

  #settle({ id, result, failure }: WorkerReply): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (failure === undefined) waiting.resolve(result);
    else waiting.reject(toError(failure));
    if (this.#waiting.size === 0) this.#scheduleIdleExit();
  }

  /** The thread has no more calls. */
  #scheduleIdleExit(): void {
    const { idleMs } = this.#options;
    const worker = this.#worker;
    if (idleMs === undefined || worker === undefined || this.#isClosed) return;
    this.#idleTimer = setTimeout(() => {
      this.#worker = undefined;
      // The thread ends by itself.
      const call: WorkerCall = { id: 0, name: 'close', arguments: [] };
      worker.postMessage(call);
    }, idleMs).unref();
  }

  #discardWorker(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(error);
    }
    this.#waiting.clear();
  }
}

function closedError(): LogStoreError {
  return new LogStoreError('unavailable', 'the log store is closed');
}

function toError(failure: StoreFailure): LogStoreError {
  const { kind, message, stack, reason } = failure;
  const error = new LogStoreError(kind, message, reason);
  if (stack !== undefined) error.stack = stack;
  return error;
}
