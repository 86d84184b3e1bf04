import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { settledWithin } from '../lib/deadline.ts';
import type { CheckpointAnswer, CheckpointCall } from './checkpoint-thread.ts';
import type { ReportTrouble } from './invalidation.ts';

// As many as SQLite itself lets gather.
const PAGES_PER_CHECKPOINT = 1_000;
// From here on SQLite makes its own within a commit: there is little left to do for it then, and only when
// nothing at all is left does the log begin anew.
const OWN_CHECKPOINT_PAGES = 4_000;
// SQLite 3.51 can say how long the log is without doing anything about it; one before takes it for an order.
const FIRST_VERSION = [3, 51] as const;
const IDLE_MS = 10_000;
// Less than what a stop gives to the database as a whole.
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Moves pages from the write-ahead log to the database file (https://sqlite.org/wal.html#ckpt) in a thread
 * that comes when it is needed. SQLite does so within a commit: some ten milliseconds of writing and waiting
 * for the disk, in which the thread of the requests would do nothing else. It goes on doing so where the
 * thread cannot work.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #report: ReportTrouble;
  readonly #readState: StatementSync | undefined;
  /** Pages of the log at the start of the last checkpoint if a reader or an error held it up; otherwise 0. */
  #heldUpAt = 0;
  #isBusy = false;
  #isInTrouble = false;
  #isClosed = false;
  #worker: Worker | undefined;
  /** Resolves when no thread is there any more. */
  #exited: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param database the connection that writes */
  constructor(database: DatabaseSync, file: string, report: ReportTrouble) {
    this.#file = file;
    this.#report = report;
    if (!isNewEnough(process.versions.sqlite)) return;
    database.exec(`pragma wal_autocheckpoint = ${OWN_CHECKPOINT_PAGES}`);
    this.#readState = database.prepare('pragma wal_checkpoint(noop)');
  }

  /** Call it after each commit: some microseconds. Never throws. */
  afterCommit(): void {
    if (this.#readState === undefined || this.#isBusy || this.#isClosed) return;
    const { log, checkpointed } = readLogState(this.#readState);
    if (log - checkpointed < PAGES_PER_CHECKPOINT) return;
    // The log starts from its beginning again.
    if (log < this.#heldUpAt) this.#heldUpAt = 0;
    // An incomplete checkpoint is not repeated at once.
    if (log - this.#heldUpAt < PAGES_PER_CHECKPOINT) return;
    this.#heldUpAt = log;
    clearTimeout(this.#idleTimer);
    try {
      this.#worker ??= this.#start();
      send(this.#worker, 'checkpoint');
      this.#isBusy = true;
    } catch (error) {
      this.#noteTrouble(error as Error);
    }
  }

  /** Lets the thread end what it is at, but not for ever. Call it before the database is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    if (worker !== undefined) send(worker, 'close');
    // One that hangs in the middle of a system call does not even hear of its end.
    if (!(await settledWithin(CLOSE_TIMEOUT_MS, this.#exited))) void worker?.terminate();
  }

  #start(): Worker {
    const file = new URL('./checkpoint-thread.ts', import.meta.url);
    const worker = new Worker(file, { workerData: this.#file });
    worker.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = Promise.all([this.#exited, promise]);
    worker.on('message', (answer: CheckpointAnswer) => this.#rest(worker, answer));
    // It ends, and the next one may do better.
    worker.on('error', (error: Error) => this.#noteTrouble(error));
    worker.on('exit', () => {
      resolve();
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#isBusy = false;
    });
    return worker;
  }

  #rest(worker: Worker, { isComplete, failure }: CheckpointAnswer): void {
    this.#isBusy = false;
    if (isComplete) this.#heldUpAt = 0;
    if (failure === undefined) this.#isInTrouble = false;
    else this.#noteTrouble(new Error(failure));
    if (this.#isClosed) return;
    // The commits during this checkpoint may already require the next one.
    this.afterCommit();
    if (this.#isBusy) return;
    this.#idleTimer = setTimeout(() => {
      this.#worker = undefined;
      send(worker, 'close');
    }, IDLE_MS).unref();
  }

  /** Tells of it once, until all is well again. */
  #noteTrouble(error: Error): void {
    if (this.#isInTrouble) return;
    this.#isInTrouble = true;
    this.#report(error, `failed to checkpoint the write-ahead log of ${this.#file}`);
  }
}

function send(worker: Worker, call: CheckpointCall): void {
  worker.postMessage(call);
}

/** Pages of the log, and those of them that the database file already has. */
function readLogState(statement: StatementSync): { log: number; checkpointed: number } {
  try {
    const row = statement.get();
    return { log: Number(row?.log ?? 0), checkpointed: Number(row?.checkpointed ?? 0) };
  } catch {
    // The commit succeeded. The next one starts the checkpoint.
    return { log: 0, checkpointed: 0 };
  }
}

function isNewEnough(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  const [firstMajor, firstMinor] = FIRST_VERSION;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}
