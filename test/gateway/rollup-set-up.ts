import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RollupQuery, RollupRow } from '../../src/request-log/analytics/analytics-query.ts';
import { readRollups } from '../../src/request-log/analytics/read-rollups.ts';
import type { RollupWriter } from '../../src/request-log/rollups/rollup-writer.ts';
import { type LogDialect, type LogScope, logDialectOf } from '../../src/request-log/log-dialect.ts';
import type { LogRow } from '../../src/request-log/record.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { logMigrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import type { Transaction } from '../../src/storage/schema.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type TestDatabase, createPostgresDatabase } from '../support/databases.ts';

interface Context {
  after(work: () => unknown): void;
}

export const ACCOUNT_ID = 'a'.repeat(32);
/** A day, an hour and a minute begin then. */
export const DAY_MS = Date.UTC(2026, 9, 1);
export const CREATED_MS = DAY_MS - 86_400_000;

/** The database of the logs without a server. */
export interface LogDatabase {
  dialect: LogDialect;
  database: Dialect;
}

/** Opens an empty one, gone with the test. */
export async function openLogDatabase(t: Context, kind: TestDatabase): Promise<LogDatabase> {
  const dialect = logDialectOf(kind);
  if (kind === 'postgres') {
    const created = await createPostgresDatabase('current');
    const database = openPostgres(created.url, () => {});
    t.after(async () => {
      await database.close();
      await created.drop();
    });
    return { dialect, database };
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'latchkey-test-'));
  const database = openSqlite(path.join(dir, 'logs.db'));
  t.after(async () => {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  });
  await migrate(database, systemClock, logMigrations);
  return { dialect, database };
}

/** A successful exchange at the begin of the day, with what is different about it. */
export function logRow(different: Partial<LogRow> = {}): LogRow {
  return {
    account_id: ACCOUNT_ID,
    gateway_id: 'main',
    gateway_created_at: CREATED_MS,
    id: '01990000-0000-7000-8000-000000000000',
    created_at: DAY_MS,
    duration_ms: 100,
    ttft_ms: 10,
    provider: 'openai',
    model: 'gpt-4o',
    model_type: 'text-generation',
    path: 'chat/completions',
    request_type: 'rest',
    request_content_type: 'application/json',
    response_content_type: 'application/json',
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
    tokens_in: 10,
    tokens_out: 5,
    cache_tokens: 2,
    cost_nano_usd: 1_000,
    metadata: null,
    event_id: null,
    ...different,
  };
}

/** The scope of a gateway, which is noted down when it is the first time. */
export async function scopeOf(
  tx: Transaction,
  { dialect }: LogDatabase,
  gatewayId: string,
): Promise<LogScope> {
  await tx
    .insertInto('gateway_log_gateways')
    .values({ account_id: ACCOUNT_ID, gateway_id: gatewayId, log_count: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const scope = await dialect.findScope(tx, ACCOUNT_ID, gatewayId);
  if (scope === undefined) throw new Error('the gateway was not noted down');
  return scope;
}

/** Writes a batch as the log store does. */
export async function writeBatch(
  logs: LogDatabase,
  writer: RollupWriter,
  rows: readonly LogRow[],
  nowMs = DAY_MS,
): Promise<void> {
  const staged = writer.stage(rows, nowMs);
  await writeStaged(logs, staged, rows);
  staged.commit();
}

/** Writes what is staged, without a word to the writer. */
export async function writeStaged(
  logs: LogDatabase,
  staged: ReturnType<RollupWriter['stage']>,
  rows: readonly LogRow[],
): Promise<void> {
  await logs.database.transact(async (tx) => {
    const scopes = new Map<string, LogScope>();
    for (const { gateway_id: id } of rows) scopes.set(id, await scopeOf(tx, logs, id));
    await staged.write(tx, ({ gateway_id: id }) => {
      const scope = scopes.get(id);
      if (scope === undefined) throw new Error(`no row is of the gateway ${id}`);
      return scope;
    });
  });
}

/** The sums of a day, all in one unless something else is asked for. */
export function readDay(
  { dialect, database }: LogDatabase,
  different: Partial<RollupQuery> = {},
): Promise<RollupRow[]> {
  return readRollups(database.reader, dialect, {
    accountId: ACCOUNT_ID,
    gatewayId: 'main',
    createdAtMs: CREATED_MS,
    dimension: 'all',
    stepSeconds: 86_400,
    sinceMs: DAY_MS,
    untilMs: DAY_MS + 86_400_000,
    ...different,
  });
}

/** Who has written sums of a minute of all requests. */
export async function writerIds({ database }: LogDatabase): Promise<string[]> {
  const rows = await database.reader
    .selectFrom('gateway_log_rollups')
    .select('writer_id')
    .where('dimension', '=', 'all')
    .where('step_seconds', '=', 60)
    .execute();
  return rows.map(({ writer_id: id }) => id);
}
