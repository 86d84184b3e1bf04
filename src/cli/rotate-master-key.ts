import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  MASTER_KEY_FILE,
  createKeyText,
  findMasterKey,
  readFingerprint,
  readKeyFile,
  recordFingerprint,
} from '../config/master-key.ts';
import type { Settings } from '../config/settings.ts';
import { resealGatewaySecrets } from './reseal-gateway-secrets.ts';
import { resealPeoplesSecrets } from '../iam/reseal-secrets.ts';
import { sync, writePrivateFile } from '../lib/durable-files.ts';
import { type MasterKey, createResealing } from '../lib/sealing.ts';
import { resealSigningKeys } from '../oauth/oidc/reseal-signing-keys.ts';
import type { Database } from '../storage/database.ts';
import type { Db } from '../storage/schema.ts';
import { openOwnDatabase } from './open-databases.ts';

const FAREWELL_MS = 1_000;
const FAREWELL_STEP_MS = 50;
/** Beside the key's file: the new key, until the database is sealed under it. */
const NEXT_FILE = `${MASTER_KEY_FILE}.next`;

/**
 * `latchkey keys rotate-master`: seals all that is stored under a new master key, in one transaction. A
 * key that is in the data directory is replaced; where the setting has it, the new one is in a file that
 * the operator names, and becomes the setting. Cut off at any point, it is run again.
 * @param newKeyFile `--new-key`
 * @returns what to print
 * @throws Error when a server works with the database, or a key is not what it should be
 */
export async function runMasterKeyRotation(
  settings: Settings,
  newKeyFile: string | undefined,
): Promise<string> {
  const isInSetting = settings.MASTER_KEY !== undefined;
  if (isInSetting !== (newKeyFile !== undefined)) {
    throw new Error(
      isInSetting
        ? 'the setting LATCHKEY_MASTER_KEY contains the key: pass a file with the new key as --new-key FILE'
        : '--new-key requires LATCHKEY_MASTER_KEY: for a key in the data directory, this command creates the new key',
    );
  }
  const database = openOwnDatabase(settings);
  try {
    if (database.dialect === 'postgres') await demandNoServer(database.read);
    return newKeyFile === undefined
      ? await replaceFile(settings, database)
      : await replaceSetting(settings, database, newKeyFile);
  } finally {
    await database.close();
  }
}

/**
 * What a server has in memory would be sealed under the old key. An embedded database is locked. A node that
 * rests keeps only the connection that it listens on.
 */
async function demandNoServer(db: Db): Promise<void> {
  const startMs = performance.now();
  while (await hasOthers(db)) {
    // A connection that was closed a moment ago is listed for a moment more.
    if (performance.now() - startMs > FAREWELL_MS) {
      throw new Error(
        'other latchkey processes are connected to the database: stop all nodes first',
      );
    }
    await delay(FAREWELL_STEP_MS);
  }
}

async function hasOthers(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'latchkey%' and pid <> pg_backend_pid()
    limit 1`.execute(db);
  return rows.length > 0;
}

async function replaceFile(settings: Settings, database: Database): Promise<string> {
  const file = path.join(settings.DATA_DIR, MASTER_KEY_FILE);
  const next = path.join(settings.DATA_DIR, NEXT_FILE);
  const recorded = await demandFingerprint(database);
  // Left by one that was cut off: before the transaction, or after it.
  const begun = await readKeyFile(next);
  let outcome = 'The database was already encrypted with the new key.';
  if (begun?.fingerprint() !== recorded) {
    await rm(next, { force: true });
    await writePrivateFile(next, createKeyText());
    await sync(settings.DATA_DIR);
    outcome = await reseal(database, await demandKey(settings, recorded), await demandFile(next));
  }
  await rename(next, file);
  await sync(settings.DATA_DIR);
  return `${outcome}\nThe new master key is in ${file}: keep a copy of it in another place. The old key has been removed from this machine. Earlier backups need it.\n`;
}

async function replaceSetting(
  settings: Settings,
  database: Database,
  newKeyFile: string,
): Promise<string> {
  const to = await demandFile(newKeyFile);
  const recorded = await demandFingerprint(database);
  const done = `Now set LATCHKEY_MASTER_KEY to the content of ${newKeyFile} on every node, and keep a copy in another place. Earlier backups need the old key.\n`;
  if (to.fingerprint() === recorded)
    return `The database is already encrypted with this key.\n${done}`;
  const outcome = await reseal(database, await demandKey(settings, recorded), to);
  return `${outcome}\n${done}`;
}

async function demandFingerprint({ read }: Database): Promise<string> {
  const recorded = await readFingerprint(read);
  if (recorded === undefined)
    throw new Error('no secrets are encrypted yet: start the server once first');
  return recorded;
}

async function demandKey(settings: Settings, recorded: string): Promise<MasterKey> {
  const key = await findMasterKey(settings);
  if (key?.fingerprint() === recorded) return key;
  throw new Error('the current master key does not belong to this database');
}

async function demandFile(file: string): Promise<MasterKey> {
  const key = await readKeyFile(file);
  if (key === undefined) throw new Error(`file not found: ${file}`);
  return key;
}

async function reseal(database: Database, from: MasterKey, to: MasterKey): Promise<string> {
  return database.transaction(async (tx) => {
    const resealing = createResealing(from, to);
    await resealSigningKeys(tx, resealing);
    await resealGatewaySecrets(tx, resealing);
    await resealPeoplesSecrets(tx, resealing);
    await recordFingerprint(tx, to.fingerprint());
    const { resealed, unreadable } = resealing;
    const lost = unreadable === 0 ? '' : `; ${unreadable} could not be decrypted with the old key`;
    return `Encrypted ${resealed} secrets with the new key${lost}.`;
  });
}
