import { hash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createFirstAccount } from '../src/iam/accounts/create-first-account.ts';
import { insertGateway } from '../src/gateway-admin/gateways/gateway-store.ts';
import { newGatewayRecord } from '../src/gateway-admin/gateways/gateway-record.ts';
import { openDatabase } from '../src/storage/database.ts';
import type { FillFigures, FillPlan } from './contenders/fill-logs.ts';
import { ACCOUNT_ID, TOKEN, dataDirOf } from './latchkey.ts';
import { DAY_MS, LOG_DAYS, gateways } from './log-rows.ts';
import { copyFilled } from './filled-tags.ts';
import { type PinnedProcess, runPinned } from './pinned-process.ts';
import { askPostgres, postgresUrl, startPostgres } from './postgres.ts';
import { LOG_FILE } from '../src/storage/log-file.ts';

export type LogDatabase = 'sqlite' | 'postgres';

/** Log rows that are kept from run to run, since they take long to make. */
export interface FilledLogs {
  database: LogDatabase;
  rows: number;
  rowsWithBodies: number;
  sinceMs: number;
  untilMs: number;
  figures: FillFigures;
}

// Not part of the repository.
const CACHE_DIR = 'bench/cache';
const POSTGRES_DIR = 'postgres';
const BATCH_ROWS = 2_000;
const MAX_ROWS_WITH_BODIES = 100_000;
const SHARE_WITH_BODIES = 0.01;
// The server keeps sums by the minute for three days; of a file that is older, there would be none.
const MAX_AGE_MS = DAY_MS;

const cacheOf = (database: LogDatabase, rows: number): string =>
  path.join(CACHE_DIR, `logs-${database}-${rows}-${layoutOf()}`);

/** So many rows: those of an earlier run, unless they are too old or their tables are others now. */
export async function fillLogs(database: LogDatabase, rows: number): Promise<FilledLogs> {
  const directory = cacheOf(database, rows);
  const description = path.join(directory, 'filled.json');
  if (existsSync(description)) {
    const filled = JSON.parse(readFileSync(description, 'utf8')) as FilledLogs;
    if (filled.untilMs > Date.now() - MAX_AGE_MS) return filled;
  }
  for (const old of globSync(path.join(CACHE_DIR, `logs-${database}-${rows}-*`))) {
    rmSync(old, { recursive: true, force: true });
  }
  mkdirSync(directory, { recursive: true });
  const untilMs = Date.now();
  const sinceMs = untilMs - LOG_DAYS * DAY_MS;
  const rowsWithBodies = Math.min(MAX_ROWS_WITH_BODIES, Math.ceil(rows * SHARE_WITH_BODIES));
  process.stderr.write(`Logs: writing ${rows} rows, a point for each of ${LOG_DAYS} days\n`);
  const plan = {
    accountId: ACCOUNT_ID,
    rows,
    sinceMs,
    untilMs,
    withBodies: rowsWithBodies,
    batchRows: BATCH_ROWS,
    isDurable: false,
  };
  const figures =
    database === 'sqlite'
      ? await runFill({ ...plan, place: { file: path.join(directory, LOG_FILE) } })
      : await withPostgres(directory, () =>
          runFill({ ...plan, place: { databaseUrl: postgresUrl } }),
        );
  const filled: FilledLogs = { database, rows, rowsWithBodies, sinceMs, untilMs, figures };
  writeFileSync(`${description}.new`, JSON.stringify(filled));
  renameSync(`${description}.new`, description);
  return filled;
}

/** PostgreSQL, while something is done, with its data below a directory; afterwards as if just loaded. */
async function withPostgres<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const postgres = await startPostgres(0, path.join(directory, POSTGRES_DIR));
  try {
    const result = await work();
    await askPostgres((client) => client.query('vacuum analyze'));
    return result;
  } finally {
    await postgres.stop();
  }
}

/** Fills a database in a process of its own. */
export async function runFill(plan: FillPlan): Promise<FillFigures> {
  const fill = [process.execPath, 'bench/contenders/fill-logs.ts'];
  return JSON.parse(await runPinned(0, fill, { PLAN: JSON.stringify(plan) })) as FillFigures;
}

/** Changes with what the rows look like in the database. */
function layoutOf(): string {
  const sources = [
    'bench/log-rows.ts',
    'src/storage/log-tables.ts',
    'bench/contenders/postgres.ts',
    ...globSync('src/storage/migrations/logs-*.ts').toSorted(),
  ];
  const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  return hash('sha256', text).slice(0, 8);
}

/** Who is the only member of the account. */
export const EMAIL = 'bench@example.com';

/**
 * Makes a data directory with a copy of the rows and the account and gateways that they are of. There
 * may be a database already, without an account. On PostgreSQL it is that of {@link startFilledPostgres}.
 * @param passwordHash left out where nobody signs in
 */
export async function createDataDir(
  directory: string,
  { database: kind, rows, sinceMs }: FilledLogs,
  passwordHash = '',
): Promise<void> {
  const dataDir = path.resolve(dataDirOf(directory));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (kind === 'sqlite') {
    const file = path.join(cacheOf(kind, rows), LOG_FILE);
    copyFileSync(file, path.join(dataDir, LOG_FILE), constants.COPYFILE_FICLONE);
  }
  const clock = { now: () => sinceMs };
  const database = openDatabase(
    { databaseUrl: kind === 'sqlite' ? undefined : postgresUrl, dataDir },
    (error) => {
      throw error;
    },
    clock,
  );
  await database.migrate();
  await createFirstAccount(database, clock, {
    accountId: ACCOUNT_ID,
    accountName: 'Bench',
    email: EMAIL,
    passwordHash,
    token: TOKEN,
  });
  await database.transaction(async (tx) => {
    for (const { value: id } of gateways) {
      await insertGateway(tx, newGatewayRecord(ACCOUNT_ID, id, sinceMs));
    }
  });
  await database.close();
}

/** Starts PostgreSQL with a copy of the rows, on the core of the contender. */
export function startFilledPostgres(directory: string, filled: FilledLogs): Promise<PinnedProcess> {
  const own = path.join(directory, POSTGRES_DIR);
  copyFilled(path.join(cacheOf(filled.database, filled.rows), POSTGRES_DIR), own);
  return startPostgres(0, own);
}
