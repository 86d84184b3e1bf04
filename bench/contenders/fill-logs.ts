import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { createPruneRollups } from '../../src/gateway/analytics/prune-rollups.ts';
import { decodeBatch, encodeBatch } from '../../src/gateway/logs/threads/log-batch.ts';
import { logDialectOf } from '../../src/gateway/logs/log-dialect.ts';
import { LogInserter } from '../../src/gateway/logs/write/log-inserter.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { logMigrations } from '../../src/storage/migrations/index.ts';
import type { Transaction } from '../../src/storage/schema.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { DAY_MS, type RowsPlan, createRows } from '../log-rows.ts';

/**
 * Writes rows into a file as the thread of the server does that owns it, and lets time go by as fast as they
 * come. It is told what to do by `PLAN`, and prints the figures as JSON.
 */
export interface FillPlan extends RowsPlan {
  file: string;
  batchRows: number;
  /** Otherwise nothing waits for the disk, which takes a part of the time. */
  isDurable: boolean;
}

export interface FillFigures {
  rowsPerSecond: number;
  /** Of all threads, on average. */
  cpuUsPerRow: number;
  /** Of the file before the first row with bodies, and at the end. */
  bytesWithoutBodies: number;
  bytes: number;
}

const PRUNES_PER_TRANSACTION = 50;

const plan = JSON.parse(process.env.PLAN ?? '{}') as FillPlan;
const database = openSqlite(plan.file);
await migrate(database, systemClock, logMigrations);
if (!plan.isDurable) await sql`pragma synchronous = off`.execute(database.writer);
const dialect = logDialectOf('sqlite');
const inserter = new LogInserter(dialect);
const prune = createPruneRollups(dialect);
const transact = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transact(work);

async function pruneAll(nowMs: number): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await transact(async (tx) => {
      for (let count = 0; count < PRUNES_PER_TRANSACTION; count++) {
        if (!(await prune(tx, nowMs))) return false;
      }
      return true;
    });
  }
}

/** What is still in the log that SQLite writes ahead counts too. */
async function fileBytes(): Promise<number> {
  await sql`pragma wal_checkpoint(truncate)`.execute(database.writer);
  return statSync(plan.file).size;
}

let batches = 0;
let records: Parameters<typeof encodeBatch>[1][number][] = [];
let bytesWithoutBodies: number | undefined;
let prunedAtMs = plan.sinceMs;

async function writeBatch(): Promise<void> {
  const last = records.at(-1);
  if (last === undefined) return;
  await inserter.insert(
    transact,
    decodeBatch(encodeBatch(++batches, records)),
    last.row.created_at,
  );
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
    bytesWithoutBodies = await fileBytes();
  }
  records.push(record);
  if (records.length >= plan.batchRows) await writeBatch();
}
await writeBatch();
const { user, system } = process.cpuUsage(cpuBefore);
const takenMs = performance.now() - beganAtMs;
const bytes = await fileBytes();
await database.close();
const figures: FillFigures = {
  rowsPerSecond: (plan.rows / takenMs) * 1_000,
  cpuUsPerRow: (user + system) / plan.rows,
  bytesWithoutBodies: bytesWithoutBodies ?? bytes,
  bytes,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
