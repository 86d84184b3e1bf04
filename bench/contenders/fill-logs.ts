import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { encodeBatch } from '../../src/request-log/threads/log-batch.ts';
import type { LogPlace } from '../../src/request-log/threads/log-worker.ts';
import { createWriteOperations } from '../../src/request-log/writer/write-operations.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Dialect } from '../../src/storage/dialect.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { allMigrations, logMigrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { DAY_MS, type RowsPlan, createRows } from '../log-rows.ts';

/**
 * Writes rows like the writer thread of the server. The time of the rows replaces the clock. Reads its plan from `PLAN`, and
 * prints the figures as JSON.
 */
export interface FillPlan extends RowsPlan {
  place: LogPlace;
  batchRows: number;
  /** False: commits do not wait for the disk. */
  isDurable: boolean;
}

export interface FillFigures {
  rowsPerSecond: number;
  /** Average over all rows, of all threads. */
  cpuUsPerRow: number;
  /** Sizes of the database before the first row with bodies, and at the end. */
  bytesWithoutBodies: number;
  bytes: number;
}

const plan = JSON.parse(process.env.PLAN ?? '{}') as FillPlan;
const { place } = plan;

function open(): Dialect {
  if ('file' in place) return openSqlite(place.file);
  const url = new URL(place.databaseUrl);
  if (!plan.isDurable) url.searchParams.set('options', '-c synchronous_commit=off');
  return openPostgres(url.href, (error) => {
    throw error;
  });
}

const database = open();
await migrate(database, systemClock, 'file' in place ? logMigrations : allMigrations);
if ('file' in place && !plan.isDurable) {
  await sql`pragma synchronous = off`.execute(database.writer);
}
const operations = createWriteOperations(database, open);

async function pruneAll(nowMs: number): Promise<void> {
  while (await operations.pruneRollups(nowMs));
}

async function databaseBytes(): Promise<number> {
  if ('file' in place) {
    // What is still in the log that SQLite writes ahead counts too.
    await sql`pragma wal_checkpoint(truncate)`.execute(database.writer);
    return statSync(place.file).size;
  }
  const { rows } = await sql<{ size: number }>`
    select pg_database_size(current_database()) as size`.execute(database.writer);
  return rows[0]?.size ?? Number.NaN;
}

let batches = 0;
let records: Parameters<typeof encodeBatch>[1][number][] = [];
let bytesWithoutBodies: number | undefined;
let prunedAtMs = plan.sinceMs;

async function writeBatch(): Promise<void> {
  const last = records.at(-1);
  if (last === undefined) return;
  await operations.insert(encodeBatch(++batches, records), last.row.created_at);
  records = [];
  if (last.row.created_at < prunedAtMs + DAY_MS) return;
  prunedAtMs = last.row.created_at;
  await pruneAll(prunedAtMs);
  process.stderr.write('.');
}

const beganAtMs = performance.now();
const cpuBefore = process.cpuUsage();
for (const record of createRows(plan)) {
  if (record.payload !== null && bytesWithoutBodies === undefined) {
    await writeBatch();
    bytesWithoutBodies = await databaseBytes();
  }
  records.push(record);
  if (records.length >= plan.batchRows) await writeBatch();
}
await writeBatch();
const { user, system } = process.cpuUsage(cpuBefore);
const takenMs = performance.now() - beganAtMs;
const bytes = await databaseBytes();
await database.close();
const figures: FillFigures = {
  rowsPerSecond: (plan.rows / takenMs) * 1_000,
  cpuUsPerRow: (user + system) / plan.rows,
  bytesWithoutBodies: bytesWithoutBodies ?? bytes,
  bytes,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
