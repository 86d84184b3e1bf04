import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { MASTER_KEY_FILE, readFingerprint, readKeyFile } from '../../config/master-key.ts';
import type { Settings } from '../../config/settings.ts';
import { formatTime, systemClock } from '../../lib/clock.ts';
import { copyPrivateFile, exists, sync, writePrivateFile } from '../../lib/durable-files.ts';
import { createId } from '../../lib/ids.ts';
import { DATABASE_FILE } from '../../storage/database.ts';
import { noteBackup } from '../../storage/last-backup.ts';
import { LOG_FILE } from '../../storage/log-file.ts';
import { openSqliteForReading } from '../../storage/sqlite.ts';
import { checkSqliteFile, copySqliteFile } from '../../storage/sqlite-copy.ts';
import { BYTES_PER_MIB, Progress, formatMib } from '../progress.ts';
import { type StopSignals, listenForSignals } from '../stop-signals.ts';
import { type BackupFile, MANIFEST_FILE, digestFile, formatManifest } from './manifest.ts';

/** The options of `backup`, as they were given. */
export interface BackupOptions {
  output?: string | undefined;
  force?: boolean | undefined;
  'without-logs'?: boolean | undefined;
  'with-master-key'?: boolean | undefined;
}

/** What to do on PostgreSQL, which has its own. */
export const POSTGRES_BACKUP =
  'the data is in PostgreSQL: back it up and restore it with pg_dump and pg_restore, or with pg_basebackup and an archive of the write-ahead log. See docs/back-up-and-restore.md for the commands';

/** A signal came in the middle of a copy. */
class Stopped extends Error {}

/**
 * `latchkey backup`: copies the embedded databases, each as it is at one moment, into a new directory,
 * also while the server runs. The directory has its name only when all of it is on disk and was checked.
 * @returns what to print
 * @throws Error in one line when it cannot be made; nothing of it stays
 */
export async function runBackup(settings: Settings, options: BackupOptions): Promise<string> {
  const { output, force = false } = options;
  if (settings.DATABASE_URL !== undefined) throw new Error(POSTGRES_BACKUP);
  if (output === undefined) throw new Error('backup needs --output DIRECTORY');
  const target = path.resolve(output);
  await demandFree(target, force);
  const withLogs = options['without-logs'] !== true;
  const names = await findDatabases(settings.DATA_DIR, withLogs);
  const draft = `${target}.${createId()}.partial`;
  const stop = listenForSignals();
  try {
    await demandRoom(settings.DATA_DIR, names, path.dirname(target));
    await mkdir(draft, { mode: 0o700 });
    const files = await copyAll(settings.DATA_DIR, names, draft, stop);
    const key = await keepKey(settings, draft, options['with-master-key'] === true);
    const text = formatManifest({ latchkey: packageJson.version, ...key, files });
    await writePrivateFile(path.join(draft, MANIFEST_FILE), text);
    await sync(draft);
    await putInPlace(draft, target);
    await noteBackup(settings.DATA_DIR);
    return report(output, files, key, withLogs, settings);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(error instanceof Stopped)) throw describeFailure(error, target);
    process.exitCode = stop.exitCode;
    return '';
  } finally {
    stop.end();
  }
}

/** Only a backup is ever replaced: a slip of the hand must not cost another directory. */
async function demandFree(target: string, mayReplace: boolean): Promise<void> {
  if (!(await exists(target))) {
    if (await exists(path.dirname(target))) return;
    throw new Error(`directory not found: ${path.dirname(target)}`);
  }
  if (!mayReplace) throw new Error(`${target} already exists; --force replaces a backup`);
  if (await exists(path.join(target, MANIFEST_FILE))) return;
  throw new Error(`${target} already exists, and is not a backup that could be replaced`);
}

async function findDatabases(dataDir: string, withLogs: boolean): Promise<string[]> {
  const database = path.join(dataDir, DATABASE_FILE);
  if (!(await exists(database))) throw new Error(`database not found: ${database}`);
  const hasLogs = withLogs && (await exists(path.join(dataDir, LOG_FILE)));
  return hasLogs ? [DATABASE_FILE, LOG_FILE] : [DATABASE_FILE];
}

/** Told before hours of copying rather than after. */
async function demandRoom(dataDir: string, names: string[], directory: string): Promise<void> {
  let needed = 0;
  for (const name of names) needed += (await stat(path.join(dataDir, name))).size;
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= needed) return;
  const [need, free] = [needed, bavail * bsize].map((bytes) => formatMib(bytes));
  throw new Error(`the backup needs ${need}, but ${directory} has only ${free} left`);
}

async function copyAll(
  dataDir: string,
  names: string[],
  draft: string,
  stop: StopSignals,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const name of names) {
    const copy = path.join(draft, name);
    const takenAt = formatTime(systemClock.now());
    await copyWithProgress(path.join(dataDir, name), copy, stop);
    // A disk that lies, or a fault in the original, is told now and not when it is needed.
    const [fault] = checkSqliteFile(copy);
    if (fault !== undefined) {
      throw new Error(`${name} is damaged, and a backup would be damaged too: ${fault.trim()}`);
    }
    await sync(copy);
    const { size: bytes } = await stat(copy);
    const sha256 = await digestFile(copy);
    files.push({ name, bytes, sha256, migrations: await readMigrations(copy), taken_at: takenAt });
  }
  return files;
}

async function copyWithProgress(file: string, copy: string, stop: StopSignals): Promise<void> {
  const { size } = await stat(file);
  const progress = new Progress(process.stderr, Math.ceil(size / BYTES_PER_MIB), 'MiB');
  let shown = 0;
  try {
    await copySqliteFile(file, copy, ({ totalPages, remainingPages }) => {
      if (stop.exitCode !== undefined) throw new Stopped();
      const done = Math.floor((size * (1 - remainingPages / totalPages)) / BYTES_PER_MIB);
      progress.advance(done - shown);
      shown = done;
    });
    if (stop.exitCode !== undefined) throw new Stopped();
  } finally {
    progress.end();
  }
}

/** The schema of a database, by the names of its migrations. */
export async function readMigrations(file: string): Promise<string[]> {
  const database = openSqliteForReading(file);
  try {
    const rows = await database.reader.selectFrom('schema_migrations').select('name').execute();
    return rows.map(({ name }) => name).sort();
  } finally {
    await database.close();
  }
}

type KeptKey = { master_key_fingerprint: string | null; has_master_key: boolean };

async function keepKey(
  { MASTER_KEY, DATA_DIR }: Settings,
  draft: string,
  isWanted: boolean,
): Promise<KeptKey> {
  const database = openSqliteForReading(path.join(draft, DATABASE_FILE));
  let fingerprint: string | null;
  try {
    fingerprint = (await readFingerprint(database.reader)) ?? null;
  } finally {
    await database.close();
  }
  if (!isWanted) return { master_key_fingerprint: fingerprint, has_master_key: false };
  if (MASTER_KEY !== undefined) {
    throw new Error(
      '--with-master-key: the setting LATCHKEY_MASTER_KEY contains the key; keep a copy of this setting instead',
    );
  }
  const file = path.join(DATA_DIR, MASTER_KEY_FILE);
  const key = await readKeyFile(file);
  if (key === undefined) throw new Error(`--with-master-key: file not found: ${file}`);
  if (fingerprint !== null && key.fingerprint() !== fingerprint) {
    throw new Error(`--with-master-key: ${file} is not the key of this database`);
  }
  await copyPrivateFile(file, path.join(draft, MASTER_KEY_FILE));
  return { master_key_fingerprint: fingerprint, has_master_key: true };
}

async function putInPlace(draft: string, target: string): Promise<void> {
  const parent = path.dirname(target);
  if (await exists(target)) {
    // A directory cannot be replaced in one step; until the new one stands there, both are whole.
    const former = `${target}.${createId()}.former`;
    await rename(target, former);
    await rename(draft, target);
    await sync(parent);
    await rm(former, { recursive: true, force: true });
  } else {
    await rename(draft, target);
  }
  await sync(parent);
}

const SQLITE_FULL = /database or disk is full|ENOSPC|disk I\/O error/;

function describeFailure(error: unknown, target: string): Error {
  const { message } = error as Error;
  if (!SQLITE_FULL.test(message)) return error as Error;
  return new Error(`cannot write the backup to ${path.dirname(target)}: ${message}`, {
    cause: error,
  });
}

function report(
  output: string,
  files: BackupFile[],
  key: KeptKey,
  withLogs: boolean,
  settings: Settings,
): string {
  const lines = [`Backed up to ${output}:`];
  for (const { name, bytes, taken_at: at } of files) {
    lines.push(`  ${name}  ${formatMib(bytes)}  as of ${at}  checked`);
  }
  if (!withLogs) lines.push(`  without the gateways' logs (${LOG_FILE})`);
  lines.push(key.has_master_key ? HAS_KEY : needsKey(settings));
  return `${lines.join('\n')}\n`;
}

const HAS_KEY = `The backup contains the master key (${MASTER_KEY_FILE}). Anyone with this backup can read every secret in it: protect it like the key.`;

function needsKey({ MASTER_KEY, DATA_DIR }: Settings): string {
  const where =
    MASTER_KEY === undefined
      ? `the file ${path.join(DATA_DIR, MASTER_KEY_FILE)}`
      : 'the setting LATCHKEY_MASTER_KEY';
  return `The backup does NOT contain the master key. Keep a copy of ${where} in another place: a restored server does not start without the key.`;
}
