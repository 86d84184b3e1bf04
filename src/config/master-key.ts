import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sync, writePrivateFile } from '../lib/durable-files.ts';
import { createId } from '../lib/ids.ts';
import { MasterKey, parseKeyBytes } from '../lib/sealing.ts';
import type { Database } from '../storage/database.ts';
import type { Db, Transaction } from '../storage/schema.ts';
import { SettingError } from './setting-parsers.ts';
import type { Settings } from './settings.ts';

/** Name of the file in the data directory that holds the key, where no setting does. */
export const MASTER_KEY_FILE = 'master.key';
const KEY_BYTES = 32;
/** Row of table `installation` with the fingerprint of the key that this installation uses. */
const INSTALLATION_NAME = 'master_key';

/**
 * The key of this installation: the setting, or else the file in the data directory, which the first
 * start makes. What the database holds must have been sealed under the same key; nodes that start
 * together on an empty database agree on the key of one of them.
 * @throws SettingError, in one line for the operator, when this is not the key of the installation
 */
export async function loadMasterKey(
  settings: Pick<Settings, 'MASTER_KEY' | 'DATA_DIR'>,
  database: Database,
): Promise<MasterKey> {
  const file = path.join(settings.DATA_DIR, MASTER_KEY_FILE);
  const key = settings.MASTER_KEY ?? (await findOwnKey(file, database));
  if ((await agreeOnFingerprint(database, key.fingerprint())) === key.fingerprint()) return key;
  const source = settings.MASTER_KEY === undefined ? `, taken from ${file},` : '';
  throw new SettingError(
    `LATCHKEY_MASTER_KEY${source} is not the key of this database: all nodes on one PostgreSQL need the same key, and a restored database needs its original key`,
  );
}

/** The key in the file, which is made for an installation that has none yet. */
async function findOwnKey(file: string, database: Database): Promise<MasterKey> {
  // Asked first: whoever records a fingerprint has made the file before.
  const fingerprint = await readFingerprint(database.read);
  const kept = await readKeyFile(file);
  if (kept !== undefined) return kept;
  if (fingerprint === undefined) return createKeyFile(file);
  // A new key would open nothing of what is sealed.
  throw new SettingError(
    `LATCHKEY_MASTER_KEY is not set and ${file} does not exist: set it to the key of the other nodes on this database, or restore the file`,
  );
}

/** The fingerprint of the key that a database was set up with; undefined: it was not yet. */
export async function readFingerprint(db: Db): Promise<string | undefined> {
  // By primary key.
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', INSTALLATION_NAME)
    .executeTakeFirst();
  return row?.value;
}

/** @returns the fingerprint on record, which is this one if there was none */
async function agreeOnFingerprint(
  database: Database,
  fingerprint: string,
): Promise<string | undefined> {
  const known = await readFingerprint(database.read);
  if (known !== undefined) return known;
  await database.transaction(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ name: INSTALLATION_NAME, value: fingerprint })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  });
  return readFingerprint(database.read);
}

/**
 * The key that a server would start with; undefined: there is neither a setting nor a file.
 * @throws SettingError when the file does not hold a key
 */
export function findMasterKey({
  MASTER_KEY,
  DATA_DIR,
}: Pick<Settings, 'MASTER_KEY' | 'DATA_DIR'>): Promise<MasterKey | undefined> {
  if (MASTER_KEY !== undefined) return Promise.resolve(MASTER_KEY);
  return readKeyFile(path.join(DATA_DIR, MASTER_KEY_FILE));
}

/** @returns undefined when there is no file */
export async function readKeyFile(file: string): Promise<MasterKey | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const bytes = parseKeyBytes(text);
  if (bytes === undefined) {
    throw new SettingError(
      `the key file ${file} does not contain 32 bytes in base64: restore it, or set LATCHKEY_MASTER_KEY`,
    );
  }
  return new MasterKey(bytes);
}

/** Puts the fingerprint of another key in the place of the former, in the transaction that seals anew. */
export async function recordFingerprint(tx: Transaction, fingerprint: string): Promise<void> {
  await tx
    .updateTable('installation')
    .set({ value: fingerprint })
    .where('name', '=', INSTALLATION_NAME)
    .execute();
}

/** Whole and on disk, or not at all; of several who make it at the same time, one is followed by all. */
async function createKeyFile(file: string): Promise<MasterKey> {
  const draft = `${file}.${createId()}`;
  try {
    await writePrivateFile(draft, createKeyText());
    // Unlike a rename, it leaves alone what another process has put there.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await sync(path.dirname(file));
  } catch (error) {
    throw new SettingError(
      `LATCHKEY_MASTER_KEY is not set, and creating ${file} failed: ${(error as Error).message}`,
      { cause: error },
    );
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKeyFile(file);
  if (key === undefined) throw new Error(`${file} was deleted`);
  return key;
}

/** A new key as it stands in a file. */
export function createKeyText(): string {
  return `${randomBytes(KEY_BYTES).toString('base64')}\n`;
}
