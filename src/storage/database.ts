import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createId } from '../lib/ids.ts';
import type { Dialect } from './dialect.ts';
import {
  type Announcement,
  type Invalidation,
  type ReportTrouble,
  createLocalInvalidation,
  createPostgresInvalidation,
} from './invalidation.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { allMigrations, migrations } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import { checkPostgres } from './postgres-requirements.ts';
import { PostgresServers } from './postgres-servers.ts';
import type { Db, Transaction } from './schema.ts';
import { type StorageTrouble, storageTroubles } from './storage-trouble.ts';
import { lockDataDir, openSqlite, openSqliteForReading } from './sqlite.ts';
import { WriteWatch } from './write-watch.ts';

// A caller waits for it: after that, an honest refusal is worth more than another attempt.
const RETRY_DEADLINE_MS = 5_000;
const RETRY_BASE_MS = 5;
const RETRY_MAX_MS = 250;
// The main thread must not wait for another process; the next attempt does, without holding it up.
const BUSY_TIMEOUT_MS = 0;
/** Name of the file in the data directory that is the embedded database. */
export const DATABASE_FILE = 'latchkey.db';
/** In the data directory while a restore puts files in their places: until it is gone, some are missing. */
export const UNFINISHED_RESTORE = 'restore.unfinished';
// A migration may rewrite a large table, or wait for the node that does.
const MIGRATION_TIMEOUT_MS = 30 * 60_000;

/** Tells every node, after the commit, that what it cached under this topic and key is stale. */
export type Announce = (announcement: Announcement) => void;

export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** Reads outside a transaction. It sees every acknowledged write of this node. */
  readonly read: Db;
  readonly invalidation: Invalidation;
  /**
   * Runs one change. When it resolves, the change is on disk and announced. A lost race (SQLSTATE
   * 40001, 40P01, SQLITE_BUSY) or connection runs `work` again for some seconds, and so does a failure
   * of another change that shares its commit, so it must have no effect outside the transaction.
   */
  transaction<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T>;
  /** Whether a unique constraint refused the row. */
  isUniqueViolation(error: unknown): boolean;
  /**
   * What is wrong with the database itself: it cannot be reached, does not answer in time, takes no
   * writes, or others kept the transaction from being made. The same request may succeed later.
   */
  troubleOf(error: unknown): StorageTrouble | undefined;
  /** Whether {@link troubleOf} knows the error. */
  isUnavailable(error: unknown): boolean;
  /** How the latest writes went. */
  readonly writes: Pick<WriteWatch, 'failures' | 'isWritable'>;
  /** Rejects when the database cannot be reached, and while it takes no writes. */
  ping(): Promise<void>;
  /** An error of the start as one line that names the file and says what to do, where it is about one. */
  nameFile(error: unknown): unknown;
  /** Brings the schema up to date; returns the names of the migrations it ran. */
  migrate(): Promise<string[]>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** A PostgreSQL connection string; without it the embedded database is used. */
  databaseUrl: string | undefined;
  /** Past a pooler that `databaseUrl` leads to, for what needs a session of its own. */
  directUrl?: string | undefined;
  dataDir: string;
  /** Maximum number of connections to PostgreSQL. */
  poolSize?: number;
  /**
   * Opens the embedded database, which must be there, also while a server owns it: for commands that
   * write only what no server keeps in memory.
   */
  isShared?: boolean;
}

/** Opens the database that the settings name, without touching its schema. */
export function openDatabase(
  settings: DatabaseSettings,
  report: ReportTrouble,
  clock: Clock = systemClock,
): Database {
  const { databaseUrl, directUrl } = settings;
  if (databaseUrl === undefined) {
    const dialect = settings.isShared
      ? openBeside(settings.dataDir)
      : openEmbedded(settings.dataDir, report);
    // The gateway logs are in a file of their own.
    const migrateIt = (): Promise<string[]> => migrate(dialect, clock, migrations);
    return createDatabase(dialect, createLocalInvalidation(), migrateIt, report);
  }
  const onIdleError = (error: Error): void => report(error, 'an idle database connection failed');
  // They share what they find out about the servers.
  const servers = new PostgresServers(databaseUrl);
  const directServers = directUrl === undefined ? servers : new PostgresServers(directUrl);
  const dialect = openPostgres(servers, onIdleError, {
    ...(settings.poolSize !== undefined && { connections: settings.poolSize }),
  });
  const invalidation = createPostgresInvalidation(directServers, dialect.reader, report);
  const migrateIt = async (): Promise<string[]> => {
    await checkPostgres(dialect.reader);
    if (await isUpToDate(dialect.reader, allMigrations)) return [];
    const patient = openPostgres(directServers, onIdleError, {
      statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    });
    try {
      return await migrate(patient, clock, allMigrations);
    } finally {
      await patient.close();
    }
  };
  return createDatabase(dialect, invalidation, migrateIt, report);
}

/**
 * Opens the database only to read from it, also while servers work with it.
 * @throws when there is no embedded database
 */
export function openDatabaseForReading(
  { databaseUrl, dataDir }: DatabaseSettings,
  report: ReportTrouble,
): Pick<Database, 'read' | 'close'> {
  const dialect =
    databaseUrl === undefined
      ? openSqliteForReading(path.join(dataDir, DATABASE_FILE))
      : openPostgres(databaseUrl, (error) => report(error, 'an idle database connection failed'));
  return { read: dialect.reader, close: () => dialect.close() };
}

/** The embedded database of a server that may be running. */
function openBeside(dataDir: string): Dialect {
  const file = path.join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new Error(`database not found: ${file}`);
  return openSqlite(file);
}

/** The embedded database, with the lock on its directory while it is open. */
function openEmbedded(dataDir: string, report: ReportTrouble): Dialect {
  const lock = lockDataDir(dataDir);
  try {
    if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
      throw new Error(
        `a restore into ${dataDir} was interrupted: run \`latchkey restore\` again, with --force`,
      );
    }
    const dialect = openSqlite(path.join(dataDir, DATABASE_FILE), BUSY_TIMEOUT_MS, report);
    const close = async (): Promise<void> => {
      await dialect.close();
      lock.release();
    };
    return { ...dialect, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Runs `work` again while it fails in a way that leaves nothing behind, until it is too late. */
async function retry<T>(work: () => Promise<T>, isUndone: (error: unknown) => boolean): Promise<T> {
  const startMs = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      // Full jitter keeps the losers of one race from meeting again.
      const waitMs = Math.random() * Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** attempts);
      const isLate = performance.now() + waitMs - startMs >= RETRY_DEADLINE_MS;
      if (isLate || !isUndone(error)) throw error;
      await delay(waitMs);
    }
  }
}

const PROBE = 'write-probe';

/** Writes a row and takes it out again: the database has to write, and nothing is left of it. */
async function writeNothing(tx: Transaction): Promise<void> {
  const holder = createId();
  const name = `${PROBE}-${holder}`;
  await tx.insertInto('leases').values({ name, holder, expires_at: 0 }).execute();
  await tx.deleteFrom('leases').where('name', '=', name).execute();
}

function createDatabase(
  dialect: Dialect,
  invalidation: Invalidation,
  migrateIt: () => Promise<string[]>,
  report: ReportTrouble,
): Database {
  const troubleOf = (error: unknown): StorageTrouble | undefined =>
    dialect.troubleOf(error) ?? (dialect.isConflict(error) ? storageTroubles.busy : undefined);
  const writes = new WriteWatch(
    report,
    // Requests that get into each other's way say nothing about what can be written.
    (error) => dialect.troubleOf(error),
    () => dialect.transact(writeNothing),
  );

  /** @param onCommit called when only the commit is left to do */
  async function attempt<T>(
    work: (tx: Transaction, announce: Announce) => Promise<T>,
    onCommit: () => void,
  ): Promise<{ result: T; announcements: Announcement[] }> {
    const announcements: Announcement[] = [];
    const result = await dialect.transact(async (tx) => {
      // Of a run that was undone, nothing is to be told.
      announcements.length = 0;
      const value = await work(tx, (announcement) => announcements.push(announcement));
      await invalidation.enqueue(tx, announcements);
      onCommit();
      return value;
    });
    return { result, announcements };
  }

  return {
    dialect: dialect.traits.name,
    read: dialect.reader,
    invalidation,
    async transaction(work) {
      let committing = false;
      const made = retry(
        () => {
          committing = false;
          return attempt(work, () => {
            committing = true;
          });
        },
        // A commit whose answer is lost may have happened: doing it again could do it twice.
        (error) => dialect.isConflict(error) || (dialect.isConnectionLost(error) && !committing),
      );
      const { result, announcements } = await writes.observe(made);
      for (const announcement of announcements) invalidation.deliver(announcement);
      return result;
    },
    isUniqueViolation: (error) => dialect.isUniqueViolation(error),
    troubleOf,
    isUnavailable: (error) => troubleOf(error) !== undefined,
    writes,
    async ping() {
      await sql`select 1`.execute(dialect.reader);
      await writes.check();
    },
    nameFile: (error) => dialect.nameFile(error),
    migrate: () => retry(migrateIt, (error) => dialect.isConflict(error)),
    async close() {
      await invalidation.close();
      await dialect.close();
    },
  };
}
