import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../lib/clock.ts';
import type { Dialect } from '../../storage/dialect.ts';
import { migrate } from '../../storage/migrate.ts';
import { logMigrations } from '../../storage/migrations/index.ts';
import type { PoolOptions } from '../../storage/postgres.ts';
import { logDialectOf } from '../log-dialect.ts';
import { type StoreFailure, classifyError } from './log-store-error.ts';
import { READ_STATEMENT_TIMEOUT_MS } from './read-timeout.ts';
import { createReadOperations } from '../reader/read-operations.ts';
import { createWriteOperations } from '../writer/write-operations.ts';

/** A thread for the gateway logs; worker-client.ts is its counterpart. */

/** The log database: a SQLite file, or a PostgreSQL connection string. */
export type LogPlace = { file: string } | { databaseUrl: string };

export interface WorkerSettings {
  role: 'write' | 'read';
  place: LogPlace;
}

export interface WorkerCall {
  id: number;
  /** One of its operations; `close` ends the thread. */
  name: string;
  arguments: unknown[];
}

export interface WorkerReply {
  id: number;
  result?: unknown;
  failure?: StoreFailure;
}

type Operations = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>;

interface Work {
  operations: Operations;
  /** Classifies errors. */
  database: Pick<Dialect, 'isConflict' | 'isConnectionLost' | 'troubleOf' | 'isReplaced'>;
  close(): Promise<void>;
}

// A deletion may run next to a batch, and a second read next to a list.
const CONNECTIONS = 2;
const PATIENCE_MS = 30 * 60_000;

// The next statement replaces an idle connection that broke.
const ignoreIdleError = (): void => {};

async function open({ role, place }: WorkerSettings): Promise<Work> {
  return role === 'write' ? openForWriting(place) : openForReading(place);
}

// Each thread needs one of the two, and loading takes most of its start.
const loadSqlite = () => import('../../storage/sqlite.ts');
const loadPostgres = () => import('../../storage/postgres.ts');

async function openForWriting(place: LogPlace): Promise<Work> {
  if ('file' in place) {
    const { openSqlite } = await loadSqlite();
    const database = openSqlite(place.file);
    await migrate(database, systemClock, logMigrations);
    const operations = createWriteOperations(database, () => database);
    return { operations: { ...operations }, database, close: () => database.close() };
  }
  const { openPostgres } = await loadPostgres();
  const openIt = (options: PoolOptions): Dialect =>
    openPostgres(place.databaseUrl, ignoreIdleError, options);
  const database = openIt({ connections: CONNECTIONS });
  const patient = { statementTimeoutMs: PATIENCE_MS, connections: 1 };
  const operations = createWriteOperations(database, () => openIt(patient));
  return { operations: { ...operations }, database, close: () => database.close() };
}

async function openForReading(place: LogPlace): Promise<Work> {
  if ('file' in place) {
    const { openSqliteForReading } = await loadSqlite();
    const opened = openSqliteForReading(place.file);
    const operations = createReadOperations(opened.reader, logDialectOf('sqlite'));
    const database = {
      isConflict: (error: unknown) => opened.isBusy(error),
      troubleOf: (error: unknown) => opened.troubleOf(error),
      isConnectionLost: () => false,
      isReplaced: () => opened.isReplaced(),
    };
    return { operations: { ...operations }, database, close: () => opened.close() };
  }
  const { openPostgres } = await loadPostgres();
  const database = openPostgres(place.databaseUrl, ignoreIdleError, {
    statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS,
    connections: CONNECTIONS,
  });
  const operations = createReadOperations(database.reader, logDialectOf('postgres'));
  return { operations: { ...operations }, database, close: () => database.close() };
}

// The default of `nice`.
const READ_NICENESS = 10;

/**
 * Lowers the priority of the thread, so that large reads do not slow down requests. Only on Linux, where a thread has its own
 * priority.
 */
function yieldToRequests({ role }: WorkerSettings): void {
  if (role === 'read' && process.platform === 'linux') os.setPriority(READ_NICENESS);
}

yieldToRequests(workerData as WorkerSettings);
const opened = open(workerData as WorkerSettings);
// Each call gets the failure. Without a listener, it would end the thread.
opened.catch(() => {});

/**
 * Detects that the file was removed: further rows would be lost. The thread ends, and the next one opens or creates the file.
 */
async function leave(id: number, work: Work): Promise<WorkerReply> {
  await work.close();
  setImmediate(() => parentPort?.close());
  const message = 'the log file was deleted or replaced while in use';
  return { id, failure: { kind: 'unavailable', message, stack: undefined, reason: undefined } };
}

async function perform({ id, name, arguments: given }: WorkerCall): Promise<WorkerReply> {
  let work: Work | undefined;
  try {
    work = await opened;
    if (name === 'close') return { id, result: await work.close() };
    const operation = work.operations[name];
    if (operation === undefined) throw new Error(`unknown operation ${name}`);
    if (work.database.isReplaced()) return await leave(id, work);
    return { id, result: await operation(...(given as never[])) };
  } catch (error) {
    return { id, failure: classifyError(error, work?.database) };
  } finally {
    // The thread ends without work. A thread that failed to start is replaced.
    if (name === 'close' || work === undefined) setImmediate(() => parentPort?.close());
  }
}

parentPort?.on('message', (call: WorkerCall) => {
  void perform(call).then((reply) => parentPort?.postMessage(reply));
});
