import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CONTEXT_COLUMNS } from '../../src/request-log/columns.ts';
import { type LogDialect, logDialectOf } from '../../src/request-log/log-dialect.ts';
import {
  type ReadOperations,
  createReadOperations,
} from '../../src/request-log/reader/read-operations.ts';
import type { StoredLog } from '../../src/request-log/log-query.ts';
import { metadataPairsOf } from '../../src/request-log/writer/metadata-pairs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createUuidV7 } from '../../src/lib/ids.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { LOG_FILE } from '../../src/storage/log-file.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { logMigrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import type { Db } from '../../src/storage/schema.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type TestDatabase, createPostgresDatabase } from '../support/databases.ts';

/** Logs without a server. */
export interface LogTables {
  database: Dialect;
  dialect: LogDialect;
  reads: ReadOperations;
  close(): Promise<void>;
}

/** Creates empty tables of logs. */
export async function openLogTables(kind: TestDatabase): Promise<LogTables> {
  if (kind === 'postgres') {
    const created = await createPostgresDatabase('current');
    const database = openPostgres(created.url, (error) => {
      throw error;
    });
    const close = async (): Promise<void> => {
      await database.close();
      await created.drop();
    };
    return { ...tablesOf(database, 'postgres'), close };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-logs-'));
  const database = openSqlite(path.join(dataDir, LOG_FILE));
  await migrate(database, systemClock, logMigrations);
  const close = async (): Promise<void> => {
    await database.close();
    await rm(dataDir, { recursive: true });
  };
  return { ...tablesOf(database, 'sqlite'), close };
}

function tablesOf(database: Dialect, kind: TestDatabase): Omit<LogTables, 'close'> {
  const dialect = logDialectOf(kind);
  return { database, dialect, reads: createReadOperations(database.reader, dialect) };
}

/** Returns a log with defaults for all other members. */
export function storedLog(log: Partial<StoredLog> & { created_at: number }): StoredLog {
  return {
    account_id: 'account',
    gateway_id: 'main',
    id: createUuidV7(log.created_at),
    duration_ms: 0,
    ttft_ms: null,
    tokens_in: null,
    tokens_out: null,
    cache_tokens: null,
    cost_nano_usd: null,
    metadata: null,
    event_id: null,
    feedback: null,
    score: null,
    request_size: null,
    response_size: null,
    provider: 'local',
    model: 'echo',
    model_type: null,
    path: 'chat/completions',
    request_type: 'rest',
    request_content_type: null,
    response_content_type: null,
    token_id: null,
    user_id: null,
    oauth_client_id: null,
    status_code: 200,
    success: 1,
    cached: 0,
    step: 0,
    attempts: 1,
    custom_cost: 0,
    usage_source: null,
    ...log,
  };
}

type Row = Record<string, unknown>;

/** Columns of a log that are not in its row. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...CONTEXT_COLUMNS,
  'account_id',
  'gateway_id',
  'created_at',
]);

/** Inserts logs without the log writer, and the counts of the tables. */
export async function insertStored(
  { database, dialect }: Pick<LogTables, 'database' | 'dialect'>,
  logs: readonly StoredLog[],
): Promise<void> {
  const db = database.writer;
  const contexts = new Map<string, Row & { context_id: number; log_count: number }>();
  const tables = { contexts: [] as Row[], entries: [] as Row[], metadata: [] as Row[] };
  for (const [gateway, own] of Map.groupBy(logs, (log) => `${log.account_id}/${log.gateway_id}`)) {
    const [accountId = '', gatewayId = ''] = gateway.split('/');
    await db
      .insertInto('gateway_log_gateways')
      .values({ account_id: accountId, gateway_id: gatewayId, log_count: own.length })
      .execute();
    const scope = await dialect.findScope(db, accountId, gatewayId);
    for (const log of own) {
      const name = `${gateway} ${JSON.stringify(CONTEXT_COLUMNS.map((field) => log[field]))}`;
      let context = contexts.get(name);
      if (context === undefined) {
        const shared = Object.fromEntries(CONTEXT_COLUMNS.map((field) => [field, log[field]]));
        context = { ...scope, ...shared, context_id: contexts.size + 1, log_count: 0 };
        contexts.set(name, context);
      }
      context.log_count++;
      const id = dialect.toColumn(log.id);
      const entry: Row = { ...scope, id, context_id: context.context_id };
      for (const [field, value] of Object.entries(log)) {
        if (!ELSEWHERE.has(field) && field !== 'id') entry[field] = value;
      }
      tables.entries.push(entry);
      if (log.metadata === null) continue;
      for (const [key, value] of metadataPairsOf(log.metadata)) {
        tables.metadata.push({ ...scope, key, value, id });
      }
    }
  }
  tables.contexts.push(...contexts.values());
  for (const [name, rows] of Object.entries(tables)) await insertRows(db, name, rows);
}

async function insertRows(db: Db, name: string, rows: readonly Row[]): Promise<void> {
  const table = `gateway_log_${name}` as 'gateway_log_entries';
  for (let start = 0; start < rows.length; start += 200) {
    const some = rows.slice(start, start + 200);
    await db
      .insertInto(table)
      .values(some as never)
      .execute();
  }
}
