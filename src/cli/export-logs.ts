import { sql } from 'kysely';
import type { Settings } from '../config/settings.ts';
import {
  type ExportSelection,
  type ExportSource,
  type ExportedLines,
  countExported,
  exportLogs,
} from '../request-log/export/export-logs.ts';
import { logDialectOf } from '../request-log/log-dialect.ts';
import { logVisibility } from '../request-log/log-retention.ts';
import { systemClock } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import { parseRfc3339 } from '../lib/rfc3339.ts';
import { isUpToDate } from '../storage/migrate.ts';
import { allMigrations, logMigrations } from '../storage/migrations/index.ts';
import {
  type LineOutput,
  OutputClosed,
  createFileOutput,
  createStandardOutput,
} from './line-output.ts';
import { openLogFile, openReadDatabase } from './open-databases.ts';
import { Progress, formatCount } from './progress.ts';
import { type StopSignals, listenForSignals } from './stop-signals.ts';

/** The options of `logs export`, as they were given. */
export interface ExportOptions {
  account?: string;
  gateway?: string;
  since?: string;
  until?: string;
  output?: string | undefined;
  force?: boolean | undefined;
  bodies?: boolean;
}

/**
 * `latchkey logs export`: writes the gateways' logs as lines of JSON, also while a server writes more
 * of them. A signal ends it behind a whole line; a reader that has seen enough ends it without a word.
 * @returns what to print
 * @throws Error for an option that makes no sense, and when the logs cannot be read or written
 */
export async function runExport(settings: Settings, options: ExportOptions): Promise<string> {
  const selection = readSelection(options);
  const { output: file, force = false } = options;
  if (force && file === undefined) throw new Error('--force requires --output');
  const source = openSource(settings);
  let stop: StopSignals | undefined;
  try {
    await demandCurrentSchema(source);
    const total = await countExported(source, selection);
    // Before the file is created: an interrupted export removes it.
    stop = listenForSignals();
    const output =
      file === undefined ? createStandardOutput() : await createFileOutput(file, force);
    const exported = exportLogs(source, selection);
    const rows = await writeAll(exported, output, startProgress(file, total), stop);
    if (rows === undefined || file === undefined) return '';
    return `Exported ${formatCount(rows)} rows to ${file}.\n`;
  } finally {
    stop?.end();
    await source.close();
  }
}

function readSelection({ account, gateway, since, until, bodies }: ExportOptions): ExportSelection {
  if (account !== undefined && !isId(account)) {
    throw new Error('--account must be an account id: 32 hex digits');
  }
  return {
    accountId: account,
    gatewayId: gateway,
    sinceMs: readTime('--since', since),
    untilMs: readTime('--until', until),
    withBodies: bodies ?? false,
  };
}

/** A moment, or the day that begins with it, in UTC. */
function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = parseRfc3339(text) ?? parseRfc3339(`${text}T00:00:00Z`);
  if (timeMs !== undefined) return timeMs;
  throw new Error(`${option} must be a time like 2026-01-31T12:00:00Z or a day like 2026-01-31`);
}

interface OpenSource extends ExportSource {
  close(): Promise<void>;
}

function openSource(settings: Settings): OpenSource {
  const visibleSinceMs = logVisibility(systemClock, settings.LOG_RETENTION_DAYS);
  const main = openReadDatabase(settings);
  if (settings.DATABASE_URL !== undefined) {
    const dialect = logDialectOf('postgres');
    const { read } = main;
    return { main: read, logs: read, dialect, visibleSinceMs, close: () => main.close() };
  }
  const logs = openLogFile(settings);
  const close = async (): Promise<void> => {
    await logs?.close();
    await main.close();
  };
  const dialect = logDialectOf('sqlite');
  return { main: main.read, logs: logs?.read, dialect, visibleSinceMs, close };
}

async function demandCurrentSchema({ main, logs, dialect }: ExportSource): Promise<void> {
  // Whether it can be reached at all is another question.
  await sql`select 1`.execute(main);
  const migrations = dialect.name === 'sqlite' ? logMigrations : allMigrations;
  if (logs === undefined || (await isUpToDate(logs, migrations))) return;
  throw new Error(
    'the logs have the format of another version: start the server of this version first',
  );
}

/** @param file `--output` */
function startProgress(file: string | undefined, total: number | undefined): Progress | undefined {
  const { stderr, stdout } = process;
  // The lines themselves show how it goes on, and a bar would stand in the middle of them.
  if (stdout.isTTY && file === undefined) return undefined;
  return new Progress(stderr, total);
}

/** @returns how many rows were written; undefined: it ended before its end */
async function writeAll(
  exported: AsyncGenerator<ExportedLines>,
  output: LineOutput,
  progress: Progress | undefined,
  stop: StopSignals,
): Promise<number | undefined> {
  let done = 0;
  try {
    for await (const { text, rows } of exported) {
      await output.write(text);
      done += rows;
      progress?.advance(rows);
      if (stop.exitCode !== undefined) break;
    }
    if (stop.exitCode === undefined) {
      await output.end();
      return done;
    }
    process.exitCode = stop.exitCode;
    progress?.end();
    const left = await output.abandon();
    if (left !== undefined) process.stderr.write(`latchkey: interrupted; ${left}\n`);
    return undefined;
  } catch (error) {
    progress?.end();
    const left = await output.abandon();
    if (error instanceof OutputClosed) return undefined;
    if (left === undefined) throw error;
    throw new Error(`${(error as Error).message}; ${left}`, { cause: error });
  } finally {
    progress?.end();
  }
}
