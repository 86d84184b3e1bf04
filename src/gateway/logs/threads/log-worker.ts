import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../lib/clock.ts';
import type { Dialect } from '../../../storage/dialect.ts';
import { migrate } from '../../../storage/migrate.ts';
import { logMigrations } from '../../../storage/migrations/index.ts';
import type { PoolOptions } from '../../../storage/postgres.ts';
import { logDialectOf } from '../log-dialect.ts';
import { type Trouble, troubleOf } from './log-trouble.ts';
import { READ_STATEMENT_TIMEOUT_MS } from './read-timeout.ts';
import { createReadOperations } from '../read/read-operations.ts';
import { createWriteOperations } from '../write/write-operations.ts';

/** A thread that works on the gateway logs; see worker-client.ts for its other end. */

/** Where the logs are: a file of the embedded database, or a PostgreSQL connection string. */
export type LogPlace = { file: string } | { databaseUrl: string };

export interface WorkerSettings {
  role: 'write' | 'read';
  place: LogPlace;
}

export interface WorkerCall {
  id: number;
  /** Of its operations; `close` ends its work. */
  name: string;
  arguments: unknown[];
}

export interface WorkerAnswer {
  id: number;
  result?: unknown;
  trouble?: Trouble;
}

type Operations = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>;

interface Work {
  operations: Operations;
  /** Tells errors apart. */
  database: Pick<Dialect, 'isConflict' | 'isConnectionLost' | 'troubleOf' | 'isReplaced'>;
  close(): Promise<void>;
}

// Beside the batch that is written, something may be deleted; beside a list, another may be read.
const CONNECTIONS = 2;
const PATIENCE_MS = 30 * 60_000;

// A connection that breaks while nobody uses it is replaced by the next statement.
const ignoreIdleError = (): void => {};

async function open({ role, place }: WorkerSettings): Promise<Work> {
  return role === 'write' ? openForWriting(place) : openForReading(place);
}

// Each thread needs one of the two, and most of the time of its start goes into what it loads.
const loadSqlite = () => import('../../../storage/sqlite.ts');
const loadPostgres = () => import('../../../storage/postgres.ts');

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

// As `nice` does by default.
const READ_NICENESS = 10;

/**
 * Whoever reads a lot of logs waits a little longer, instead of all who are on the request path. On
 * Linux alone a thread has a priority of its own; elsewhere this would be the whole process.
 */
function yieldToRequests({ role }: WorkerSettings): void {
  if (role === 'read' && process.platform === 'linux') os.setPriority(READ_NICENESS);
}

yieldToRequests(workerData as WorkerSettings);
const opened = open(workerData as WorkerSettings);
// Each call hears of a failure; without one waiting it would end the thread.
opened.catch(() => {});

/**
 * Somebody took the file away, to make room perhaps: what is written to it would be lost. The thread ends,
 * and the next one opens what is there then, or makes it.
 */
async function leave(id: number, work: Work): Promise<WorkerAnswer> {
  await work.close();
  setImmediate(() => parentPort?.close());
  const message = 'the log file was deleted or replaced while in use';
  return { id, trouble: { kind: 'unavailable', message, stack: undefined, reason: undefined } };
}

async function perform({ id, name, arguments: given }: WorkerCall): Promise<WorkerAnswer> {
  let work: Work | undefined;
  try {
    work = await opened;
    if (name === 'close') return { id, result: await work.close() };
    const operation = work.operations[name];
    if (operation === undefined) throw new Error(`unknown operation ${name}`);
    if (work.database.isReplaced()) return await leave(id, work);
    return { id, result: await operation(...(given as never[])) };
  } catch (error) {
    return { id, trouble: troubleOf(error, work?.database) };
  } finally {
    // The thread ends when there is nothing left to do; one that could not begin is replaced.
    if (name === 'close' || work === undefined) setImmediate(() => parentPort?.close());
  }
}

parentPort?.on('message', (call: WorkerCall) => {
  void perform(call).then((answer) => parentPort?.postMessage(answer));
});
