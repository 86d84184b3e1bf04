import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  type Dialect as KyselyDialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { createDirectory } from '../lib/create-directory.ts';
import { Checkpoints } from './checkpoints.ts';
import type { Dialect } from './dialect.ts';
import { DirectExecutor, WaitingExecutor } from './direct-executor.ts';
import { FileWatch } from './file-watch.ts';
import { GroupCommit } from './group-commit.ts';
import type { ReportTrouble } from './invalidation.ts';
import type { Schema } from './schema.ts';
import { isBusy, isUniqueViolation, openingError, sqliteTroubleOf } from './sqlite-errors.ts';
import type { StorageTrouble } from './storage-trouble.ts';

// This file, sqlite-copy.ts and the two for checkpoints alone name node:sqlite, whose interface may still change
// between Node releases.

// Distinct statement texts are few; the bound is there for IN lists of varying length.
const STATEMENT_CACHE_ENTRIES = 500;
// Of pages that a connection keeps, which it fills as it needs them. SQLite's own 2 MB do not hold even the
// upper levels of the trees of a million tagged resources. Mapping the file instead would be faster still,
// but a disk that fails would then end the process instead of a statement.
const PAGE_CACHE_KIB = 64 * 1024;
// How long a statement waits, on its thread, for another process that holds the write lock.
const BUSY_TIMEOUT_MS = 2_000;

/** What a connection that writes has beside its database. */
interface WritingParts {
  /** Looked at before each commit. */
  files: FileWatch;
  /** Undefined: SQLite's own, within commits. */
  checkpoints: Checkpoints | undefined;
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #writing: WritingParts | undefined;
  readonly #statements = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: STATEMENT_CACHE_ENTRIES,
  });

  #isInTransaction = false;

  constructor(database: DatabaseSync, writing: WritingParts | undefined) {
    this.#database = database;
    this.#writing = writing;
  }

  #prepare(text: string): { statement: StatementSync; returnsRows: boolean } {
    const cached = this.#statements.get(text);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(text);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(text, prepared);
    return prepared;
  }

  /** From here on statements are part of a transaction, until {@link end}. */
  begin(): void {
    this.#database.exec('begin immediate');
    this.#isInTransaction = true;
  }

  end(how: 'commit' | 'rollback'): void {
    if (how === 'commit') this.#writing?.files.check();
    // SQLite ends a transaction by itself when the disk is full, for one.
    if (how === 'commit' || this.#database.isTransaction) this.#database.exec(how);
    this.#isInTransaction = false;
    if (how === 'commit') this.#writing?.checkpoints?.afterCommit();
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      if (this.#isInTransaction && !this.#database.isTransaction) {
        // By itself it would be done for good, although its transaction is undone.
        throw new Error('the database has given up the transaction');
      }
      const { statement, returnsRows } = this.#prepare(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (returnsRows) {
        return Promise.resolve({ rows: statement.all(...parameters) as R[] });
      }
      const { changes } = statement.run(...parameters);
      return Promise.resolve({ rows: [], numAffectedRows: BigInt(changes) });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported on SQLite: use keyset paging');
  }
}

/** One connection, which one transaction has at a time. */
class SqliteDriver implements Driver {
  readonly connection: SqliteConnection;
  readonly #database: DatabaseSync;
  /** Resolves when the last one who asked for the connection gives it back. */
  #free: Promise<void> = Promise.resolve();
  #giveBack: () => void = () => {};

  constructor(database: DatabaseSync, writing: WritingParts | undefined) {
    this.#database = database;
    this.connection = new SqliteConnection(database, writing);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const free = this.#free;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#free = promise;
    await free;
    this.#giveBack = resolve;
    return this.connection;
  }

  // IMMEDIATE takes the write lock now: a read that turns into a write cannot fail half-way.
  async beginTransaction(): Promise<void> {
    this.connection.begin();
  }

  async commitTransaction(): Promise<void> {
    this.connection.end('commit');
  }

  async rollbackTransaction(): Promise<void> {
    this.connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {
    this.#giveBack();
  }

  async destroy(): Promise<void> {
    // node:sqlite refuses to close twice.
    if (this.#database.isOpen) this.#database.close();
  }
}

/** @param Executor how a statement outside a transaction comes to the connection */
function createKysely(
  database: DatabaseSync,
  Executor: typeof DirectExecutor | typeof WaitingExecutor,
  writing?: WritingParts,
): Kysely<Schema> {
  const driver = new SqliteDriver(database, writing);
  const dialect: KyselyDialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  const executor = new Executor({
    connection: driver.connection,
    compiler: dialect.createQueryCompiler(),
    adapter: dialect.createAdapter(),
    provider: new DefaultConnectionProvider(driver),
  });
  return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor });
}

/** Creates the file if it is missing, and keeps it, with what SQLite puts beside it, to its owner. */
function makePrivate(file: string): void {
  // SQLite gives the files beside a database the mode of the database. One that is there is not opened: to close it
  // would end each lock on it that this process has through SQLite (fcntl(2)).
  if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  else closeSync(openSync(file, 'a', 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (existsSync(name)) chmodSync(name, 0o600);
    } catch (error) {
      // A file that is another user's, or on a volume without modes, is for that side to protect.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
}

/**
 * Opens a connection for writing as every file of ours is opened: durable before a commit answers.
 * @throws in one line for an operator, with the name of the file and what to do
 */
export function openSqliteFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    createDirectory(path.dirname(file));
    makePrivate(file);
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec('pragma foreign_keys = on');
    database.exec('pragma temp_store = memory');
    return database;
  } catch (error) {
    database?.close();
    throw openingError(file, error);
  }
}

/**
 * Makes this process the only owner of a data directory until it ends, however it ends: what one
 * process caches, another must not change. The lock is SQLite's own, on a file that holds nothing.
 * @throws when another process owns the directory
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const file = path.join(dataDir, 'latchkey.lock');
  let lock: DatabaseSync | undefined;
  try {
    createDirectory(dataDir);
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw openingError(file, error);
    throw new Error(`the data directory ${dataDir} is in use by another latchkey process`, {
      cause: error,
    });
  }
  const held = lock;
  return { release: () => held.close() };
}

/**
 * Opens (and creates) the embedded database: one writing and one reading connection.
 * @param busyTimeoutMs how long a statement may hold up its thread to wait for another process
 * @param report given, checkpoints are made in a thread, and it is told when that has trouble
 */
export function openSqlite(
  file: string,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
  report?: ReportTrouble,
): Dialect {
  const writeDatabase = openSqliteFile(file);
  writeDatabase.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  const files = new FileWatch(file);
  files.check();
  const checkpoints = report && new Checkpoints(writeDatabase, file, report);
  const writer = createKysely(writeDatabase, WaitingExecutor, { files, checkpoints });
  const groupCommit = new GroupCommit(writer, isBusy);
  const readDatabase = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  for (const database of [writeDatabase, readDatabase]) {
    database.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`);
  }
  const reader = createKysely(readDatabase, DirectExecutor);
  return {
    traits: {
      name: 'sqlite',
      text: sql`text`,
      clustered: sql`without rowid`,
    },
    reader,
    writer,
    transact: (work) => groupCommit.transact(work),
    isConflict: isBusy,
    isConnectionLost: () => false,
    troubleOf: sqliteTroubleOf,
    isUniqueViolation,
    isReplaced: () => files.isReplaced,
    nameFile: (error) => (sqliteTroubleOf(error) === undefined ? error : openingError(file, error)),
    async close() {
      await checkpoints?.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** An open database that is only read from. */
export interface ReadOnlyDialect {
  readonly reader: Kysely<Schema>;
  /** Whether the file is gone, or another one has its name. */
  isReplaced(): boolean;
  /** Whether another process held a lock for too long. */
  isBusy(error: unknown): boolean;
  /** What is wrong with the file itself; undefined when the statement is at fault. */
  troubleOf(error: unknown): StorageTrouble | undefined;
  close(): Promise<void>;
}

/**
 * Opens an embedded database for reading, beside the process that owns it.
 * @throws when there is none
 */
export function openSqliteForReading(file: string): ReadOnlyDialect {
  if (!existsSync(file)) throw new Error(`database not found: ${file}`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const files = new FileWatch(file);
  files.check();
  return {
    reader: createKysely(database, DirectExecutor),
    isReplaced: () => files.isReplaced,
    isBusy,
    troubleOf: sqliteTroubleOf,
    close: async () => database.close(),
  };
}
