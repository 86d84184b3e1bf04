import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Dialect } from './dialect.ts';
import {
  type Announcement,
  type Invalidation,
  type ReportTrouble,
  createLocalInvalidation,
  createPostgresInvalidation,
} from './invalidation.ts';
import { migrate } from './migrate.ts';
import { allMigrations, migrations } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import type { Db, Transaction } from './schema.ts';
import { lockDataDir, openSqlite } from './sqlite.ts';

const MAX_ATTEMPTS = 8;
const RETRY_BASE_MS = 5;

/** Tells every node, after the commit, that what it cached under this topic and key is stale. */
export type Announce = (announcement: Announcement) => void;

export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** Reads outside a transaction. It sees every acknowledged write of this node. */
  readonly read: Db;
  readonly invalidation: Invalidation;
  /**
   * Runs one change. When it resolves, the change is on disk and announced. A lost race (SQLSTATE
   * 40001, 40P01, SQLITE_BUSY) or connection runs `work` again, so it must have no effect outside the
   * transaction.
   */
  transaction<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T>;
  /** Whether a unique constraint refused the row. */
  isUniqueViolation(error: unknown): boolean;
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
  /** Brings the schema up to date; returns the names of the migrations it ran. */
  migrate(): Promise<string[]>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** A PostgreSQL connection string; without it the embedded database is used. */
  databaseUrl: string | undefined;
  dataDir: string;
}

/** Opens the database that the settings name, without touching its schema. */
export function openDatabase(
  settings: DatabaseSettings,
  report: ReportTrouble,
  clock: Clock = systemClock,
): Database {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) {
    return createDatabase(openEmbedded(settings.dataDir), createLocalInvalidation(), clock);
  }
  const dialect = openPostgres(databaseUrl, (error) => {
    report(error, 'an idle database connection broke');
  });
  return createDatabase(dialect, createPostgresInvalidation(databaseUrl, report), clock);
}

/** The embedded database, with the lock on its directory while it is open. */
function openEmbedded(dataDir: string): Dialect {
  const lock = lockDataDir(dataDir);
  try {
    const dialect = openSqlite(path.join(dataDir, 'latchkey.db'));
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

function createDatabase(dialect: Dialect, invalidation: Invalidation, clock: Clock): Database {
  /** @param onCommit called when only the commit is left to do */
  async function attempt<T>(
    work: (tx: Transaction, announce: Announce) => Promise<T>,
    onCommit: () => void,
  ): Promise<{ result: T; announcements: Announcement[] }> {
    const announcements: Announcement[] = [];
    const result = await dialect.writer.transaction().execute(async (tx) => {
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
      for (let attempts = 1; ; attempts++) {
        let committing = false;
        try {
          const { result, announcements } = await attempt(work, () => {
            committing = true;
          });
          for (const announcement of announcements) invalidation.deliver(announcement);
          return result;
        } catch (error) {
          // A commit whose answer is lost may have happened: doing it again could do it twice.
          const isUndone =
            dialect.isConflict(error) || (dialect.isConnectionLost(error) && !committing);
          if (attempts >= MAX_ATTEMPTS || !isUndone) throw error;
          // Full jitter keeps the losers of one race from meeting again.
          await delay(Math.random() * RETRY_BASE_MS * 2 ** attempts);
        }
      }
    },
    isUniqueViolation: (error) => dialect.isUniqueViolation(error),
    async ping() {
      await sql`select 1`.execute(dialect.reader);
    },
    migrate: () =>
      // The embedded database keeps the gateway logs in a file of their own.
      migrate(dialect, clock, dialect.traits.name === 'sqlite' ? migrations : allMigrations),
    async close() {
      await invalidation.close();
      await dialect.close();
    },
  };
}
