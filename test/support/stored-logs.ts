import assert from 'node:assert/strict';
import path from 'node:path';
import { sql } from 'kysely';
import { type LogDialect, logDialectOf } from '../../src/request-log/log-dialect.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import type { Db } from '../../src/storage/schema.ts';
import { openDatabaseForReading } from '../../src/storage/database.ts';
import { openSqliteForReading } from '../../src/storage/sqlite.ts';
import type { Installation } from './server-process.ts';

/** The tables of the logs, read beside the servers that write them, or without any. */
export interface StoredLogs {
  db: Db;
  dialect: LogDialect;
}

/** Opens the tables for as long as the work takes. */
export async function readStoredLogs<T>(
  { dataDir, postgresUrl }: Pick<Installation, 'dataDir' | 'postgresUrl'>,
  read: (stored: StoredLogs) => Promise<T>,
): Promise<T> {
  if (postgresUrl === undefined) {
    const opened = openSqliteForReading(path.join(dataDir, LOG_FILE));
    try {
      return await read({ db: opened.reader, dialect: logDialectOf('sqlite') });
    } finally {
      await opened.close();
    }
  }
  const opened = openDatabaseForReading({ databaseUrl: postgresUrl, dataDir }, (error) => {
    throw error;
  });
  try {
    return await read({ db: opened.read, dialect: logDialectOf('postgres') });
  } finally {
    await opened.close();
  }
}

/** The ids of all rows. */
export async function storedIds({ db, dialect }: StoredLogs): Promise<Set<string>> {
  const rows = await db.selectFrom('gateway_log_entries').select('id').execute();
  return new Set(rows.map(({ id }) => dialect.toId(id)));
}

/** The file needs no repair, and what is kept counted is what is there. */
export async function assertSound(stored: StoredLogs): Promise<void> {
  if (stored.dialect.name === 'sqlite') {
    const { rows } = await sql`pragma integrity_check`.execute(stored.db);
    assert.deepEqual({ ...(rows[0] as object) }, { integrity_check: 'ok' });
  }
  const counts = await storedCounts(stored);
  const expected = Object.fromEntries(Object.keys(counts).map((name) => [name, counts.rows]));
  assert.deepEqual(counts, expected);
}

/** How many rows there are, as counted now and as kept: of a sound store all are the same. */
async function storedCounts({ db }: StoredLogs): Promise<Record<string, number>> {
  const counted = {
    rows: sql`select count(*) as n from gateway_log_entries`,
    gateways: sql`select sum(log_count) as n from gateway_log_gateways`,
    contexts: sql`select sum(log_count) as n from gateway_log_contexts`,
    bodiesAndRowsWithout: sql`
      select (select count(*) from gateway_log_bodies)
        + (select count(*) from gateway_log_entries where request_size is null) as n`,
    minutes: rollups(60),
    hours: rollups(3_600),
    days: rollups(86_400),
  };
  const counts: Record<string, number> = {};
  for (const [name, query] of Object.entries(counted)) {
    const { rows } = await query.execute(db);
    counts[name] = Number((rows[0] as { n: number | string | null }).n ?? 0);
  }
  return counts;
}

function rollups(stepSeconds: number) {
  return sql`
    select sum(requests) as n from gateway_log_rollups
    where step_seconds = ${stepSeconds} and dimension = 'all'`;
}
