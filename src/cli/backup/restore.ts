import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { MASTER_KEY_FILE, findMasterKey, readKeyFile } from '../../config/master-key.ts';
import type { Settings } from '../../config/settings.ts';
import { formatTime, systemClock } from '../../lib/clock.ts';
import { copyPrivateFile, exists, sync, writePrivateFile } from '../../lib/durable-files.ts';
import { createId } from '../../lib/ids.ts';
import { DATABASE_FILE, UNFINISHED_RESTORE } from '../../storage/database.ts';
import { LOG_FILE } from '../../storage/log-file.ts';
import { allMigrations } from '../../storage/migrations/index.ts';
import { lockDataDir, openSqlite } from '../../storage/sqlite.ts';
import { formatMib } from '../progress.ts';
import { POSTGRES_BACKUP, readMigrations } from './backup.ts';
import { type Ended, endWhatHasEnded } from './end-what-has-ended.ts';
import { type BackupFile, type Manifest, digestFile, readManifest } from './manifest.ts';

/** The options of `restore`, as they were given. */
export interface RestoreOptions {
  from?: string | undefined;
  force?: boolean | undefined;
}

// What SQLite keeps beside a database belongs to that one alone.
const DATABASE_FILES = [DATABASE_FILE, LOG_FILE].flatMap((name) => [
  `${name}-wal`,
  `${name}-shm`,
  `${name}-journal`,
  name,
]);

/**
 * `latchkey restore`: puts the databases of a backup into the data directory. What was there is moved
 * aside, never deleted, and only with `--force`. Until all is checked and copied, nothing is touched.
 * @returns what to print
 * @throws Error in one line when a server owns the directory, or the backup is not whole, or newer
 */
export async function runRestore(settings: Settings, options: RestoreOptions): Promise<string> {
  const { from, force = false } = options;
  const { DATA_DIR: dataDir } = settings;
  if (settings.DATABASE_URL !== undefined) throw new Error(POSTGRES_BACKUP);
  if (from === undefined) throw new Error('restore needs --from DIRECTORY');
  const source = path.resolve(from);
  const manifest = await readManifest(source);
  const lock = lockDataDir(dataDir);
  try {
    await demandEmpty(dataDir, force);
    const key = await chooseKey(settings, source, manifest);
    const draft = path.join(dataDir, `restore-${createId()}`);
    try {
      await mkdir(draft, { mode: 0o700 });
      for (const file of manifest.files) await copyChecked(source, draft, file);
      if (key === 'from backup') {
        await copyPrivateFile(
          path.join(source, MASTER_KEY_FILE),
          path.join(draft, MASTER_KEY_FILE),
        );
      }
      const ended = await endInCopy(draft, manifest);
      const aside = await swap(dataDir, draft, key === 'from backup');
      return report(manifest, settings, { ended, aside, key });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

async function demandEmpty(dataDir: string, mayReplace: boolean): Promise<void> {
  if (mayReplace) return;
  for (const name of [...DATABASE_FILES, UNFINISHED_RESTORE]) {
    if (!(await exists(path.join(dataDir, name)))) continue;
    throw new Error(`${path.join(dataDir, name)} already exists; --force moves it aside`);
  }
}

type KeySource = 'at hand' | 'from backup' | 'missing' | 'wrong';

/** Which master key a server will start with, and whether it is the right one. */
async function chooseKey(
  settings: Settings,
  source: string,
  { has_master_key: hasKey, master_key_fingerprint: fingerprint }: Manifest,
): Promise<KeySource> {
  const kept = hasKey ? await readKeyFile(path.join(source, MASTER_KEY_FILE)) : undefined;
  if (hasKey && kept?.fingerprint() !== fingerprint) {
    throw new Error(`the backup ${source} is damaged: ${MASTER_KEY_FILE} contains a different key`);
  }
  const ours = await findMasterKey(settings);
  if (ours !== undefined && ours.fingerprint() === fingerprint) return 'at hand';
  if (kept !== undefined && settings.MASTER_KEY === undefined) return 'from backup';
  // Nothing is sealed yet, so that any key will do.
  if (fingerprint === null) return 'at hand';
  return ours === undefined ? 'missing' : 'wrong';
}

/** Copies one database and checks that it is what the manifest says, and not newer than this program. */
async function copyChecked(source: string, draft: string, file: BackupFile): Promise<void> {
  const original = path.join(source, file.name);
  if (!(await exists(original))) {
    throw new Error(`the backup ${source} is incomplete: ${file.name} is missing`);
  }
  demandKnown(file.migrations);
  const copy = path.join(draft, file.name);
  await copyPrivateFile(original, copy);
  const { size } = await stat(copy);
  if (size !== file.bytes || (await digestFile(copy)) !== file.sha256) {
    throw new Error(`the backup ${source} is damaged: ${file.name} has changed since the backup`);
  }
  demandKnown(await readMigrations(copy));
}

function demandKnown(migrations: readonly string[]): void {
  const known = new Set(allMigrations.map(({ name }) => name));
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new Error(
    `the backup was made by a newer version of latchkey (it has migration ${unknown}): use that version to restore it`,
  );
}

async function endInCopy(draft: string, { files }: Manifest): Promise<Ended> {
  const file = path.join(draft, DATABASE_FILE);
  const database = openSqlite(file);
  try {
    return await endWhatHasEnded(database, files[0]?.taken_at ?? '', systemClock);
  } finally {
    await database.close();
  }
}

/**
 * Moves what is there aside and the copies into their places. If it is cut off, a server refuses to
 * start, since it would take what is half there for a new installation.
 * @returns the directory with what was there; undefined: nothing was
 */
async function swap(dataDir: string, draft: string, withKey: boolean): Promise<string | undefined> {
  const marker = path.join(dataDir, UNFINISHED_RESTORE);
  const moved = withKey ? [...DATABASE_FILES, MASTER_KEY_FILE] : DATABASE_FILES;
  // One that is there already, from a restore that was cut off, must not go for a moment.
  if (!(await exists(marker))) await writePrivateFile(marker, '');
  await sync(dataDir);
  const stamp = formatTime(systemClock.now()).replaceAll(/[:.]/g, '-');
  const aside = path.join(dataDir, `replaced-${stamp}`);
  let isUsed = false;
  for (const name of moved) {
    if (!(await exists(path.join(dataDir, name)))) continue;
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await rename(path.join(dataDir, name), path.join(aside, name));
    isUsed = true;
  }
  if (isUsed) await sync(aside);
  for (const name of moved) {
    if (!(await exists(path.join(draft, name)))) continue;
    await rename(path.join(draft, name), path.join(dataDir, name));
  }
  await sync(dataDir);
  await rm(marker);
  await sync(dataDir);
  return isUsed ? aside : undefined;
}

interface Outcome {
  ended: Ended;
  aside: string | undefined;
  key: KeySource;
}

function report(manifest: Manifest, settings: Settings, { ended, aside, key }: Outcome): string {
  const { DATA_DIR: dataDir } = settings;
  const lines = [`Restored a backup of latchkey ${manifest.latchkey} into ${dataDir}:`];
  for (const { name, bytes, taken_at: at } of manifest.files) {
    lines.push(`  ${name}  ${formatMib(bytes)}  as of ${at}`);
  }
  if (!manifest.files.some(({ name }) => name === LOG_FILE)) {
    lines.push("  without the gateways' logs: the backup does not contain them");
  }
  if (aside !== undefined) {
    lines.push(`The previous data is in ${aside}. Delete it when you no longer need it.`);
  }
  lines.push(
    `Ended ${ended.sessions} sessions, invalidated ${ended.links} links in emails and discarded ${ended.mails} queued emails.`,
    'WARNING: everything else is restored to the time of the backup. API tokens, client secrets, authorizations',
    'and refresh tokens that were revoked or replaced since then are valid again, and so are old passwords.',
    'Locked and removed users have access again. Repeat these changes: see "What a restore brings back" in docs/back-up-and-restore.md.',
  );
  const file = path.join(dataDir, MASTER_KEY_FILE);
  if (key === 'from backup') lines.push(`Restored the master key from the backup: ${file}.`);
  if (key === 'missing') {
    lines.push(
      `Before you start the server, put the master key of this data into ${file}, or set LATCHKEY_MASTER_KEY.`,
    );
  }
  if (key === 'wrong') {
    const ours = settings.MASTER_KEY === undefined ? file : 'LATCHKEY_MASTER_KEY';
    lines.push(
      `Before you start the server, replace ${ours}: it is not the master key of this data.`,
    );
  }
  return `${lines.join('\n')}\n`;
}
