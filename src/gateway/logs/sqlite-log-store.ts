import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { logValues } from './log-queries.ts';
import type { LogPage, LogStore } from './log-store.ts';
import type { WorkerAnswer, WorkerCall } from './sqlite-log-worker.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Keeps the logs in a SQLite file of their own, behind a worker thread: a batch that waits for the
 * disk, or a query that reads a lot, never holds up a request. Both come with the first log: who does
 * not use the gateway need not wait for the thread at each start, nor keep it in memory.
 */
export function createSqliteLogStore(file: string): LogStore {
  const client = new WorkerClient(file);
  const ping = async (): Promise<void> => {
    if (existsSync(file)) await client.call({ kind: 'ping' });
  };
  return {
    // The worker answers its first call when the file is open and up to date.
    open: ping,
    ping,
    async insert(rows) {
      await client.call({ kind: 'insert', rows: JSON.stringify(rows.map(logValues)) });
    },
    async list(query, page) {
      return (await client.call({ kind: 'list', query, page })) as LogPage;
    },
    async purgeAccount(accountId) {
      if (!existsSync(file)) return false;
      return (await client.call({ kind: 'purge-account', accountId })) as boolean;
    },
    async purgeGateway(accountId, gatewayId, beforeMs) {
      if (!existsSync(file)) return false;
      const call = { kind: 'purge-gateway', accountId, gatewayId, beforeMs } as const;
      return (await client.call(call)) as boolean;
    },
    close: () => client.close(),
  };
}

class WorkerClient {
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  call(call: WorkerCall): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('the log store is closed'));
    // A worker that died is replaced by the next call; the calls it took along were rejected.
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker.postMessage({ id, call });
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./sqlite-log-worker.ts', import.meta.url), {
      workerData: this.#file,
    });
    worker.on('message', ({ id, result, error }: WorkerAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    worker.on('error', (error: Error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the log worker stopped')));
    return worker;
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    const closed = worker === undefined ? undefined : this.call({ kind: 'close' });
    // A late call would start another worker, which nobody would end.
    this.#isClosed = true;
    if (worker === undefined) return;
    try {
      await closed;
    } finally {
      this.#worker = undefined;
      await worker.terminate();
    }
  }
}
