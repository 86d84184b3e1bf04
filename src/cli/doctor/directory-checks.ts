import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { MASTER_KEY_FILE, findMasterKey, readFingerprint } from '../../config/master-key.ts';
import { DATABASE_FILE, UNFINISHED_RESTORE } from '../../storage/database.ts';
import { LOG_FILE } from '../../storage/log-file.ts';
import { checkSqliteFile } from '../../storage/sqlite-copy.ts';
import { BYTES_PER_MIB as MIB, formatMib } from '../progress.ts';
import { type Check, type Finding, fault, ok, warning } from './check.ts';

const SCARCE_BYTES = 2_048 * MIB;
const LAST_BYTES = 200 * MIB;
const LARGE_WAL_BYTES = 256 * MIB;
/** What can be read in a second or two. */
const QUICK_CHECK_BYTES = 512 * MIB;

/** Whether others than the owner may do anything with it. */
const OTHERS = 0o077;

const directory: Check = {
  name: 'data directory',
  async run({ settings: { DATA_DIR: dataDir } }) {
    const found = await stat(dataDir).catch(() => undefined);
    if (found === undefined) {
      return [
        warning(
          `${dataDir} does not exist`,
          'the first start creates it. Check DATA_DIR if you expected data',
        ),
      ];
    }
    const findings: Finding[] = [];
    if (!found.isDirectory())
      return [fault(`${dataDir} is not a directory`, 'choose another path')];
    for (const name of ['', DATABASE_FILE, LOG_FILE, MASTER_KEY_FILE]) {
      const file = path.join(dataDir, name);
      const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
      if ((mode & OTHERS) === 0) continue;
      const shown = (mode & 0o777).toString(8);
      findings.push(warning(`${file} has mode ${shown}`, `chmod go= ${file}`));
    }
    const uid = process.getuid?.();
    if (uid !== undefined && found.uid !== uid) {
      const advice = 'run this command and the server as its owner';
      findings.push(
        warning(`${dataDir} belongs to user ${found.uid}, but this process runs as ${uid}`, advice),
      );
    }
    try {
      await access(dataDir, constants.W_OK | constants.R_OK | constants.X_OK);
    } catch {
      findings.push(
        fault(`${dataDir} is not writable`, 'give the user of the server write access'),
      );
    }
    if ((await stat(path.join(dataDir, UNFINISHED_RESTORE)).catch(() => undefined)) !== undefined) {
      findings.push(
        fault('a restore was interrupted', 'run `latchkey restore` again, with --force'),
      );
    }
    return findings.length > 0 ? findings : [ok(dataDir)];
  },
};

const disk: Check = {
  name: 'disk',
  async run({ settings: { DATA_DIR: dataDir } }) {
    const found = await statfs(dataDir).catch(() => undefined);
    if (found === undefined) return [ok('the directory does not exist yet')];
    const free = found.bavail * found.bsize;
    const message = `${formatMib(free)} free`;
    const advice = 'free disk space, or move the data directory to a larger disk';
    if (free < LAST_BYTES) return [fault(message, advice)];
    return [free < SCARCE_BYTES ? warning(message, advice) : ok(message)];
  },
};

const masterKey: Check = {
  name: 'master key',
  async run({ settings, db }) {
    const key = await findMasterKey(settings);
    const fingerprint = db && (await readFingerprint(db));
    if (fingerprint === undefined) return [ok('not needed before the first start')];
    const place =
      settings.MASTER_KEY === undefined
        ? path.join(settings.DATA_DIR, MASTER_KEY_FILE)
        : 'LATCHKEY_MASTER_KEY';
    const advice = `put the original key of this data into ${place}: the server does not start without it`;
    if (key === undefined) return [fault('is missing', advice)];
    if (key.fingerprint() !== fingerprint) return [fault('does not belong to this data', advice)];
    return [ok(`belongs to this data (${place})`)];
  },
};

const files: Check = {
  name: 'database files',
  async run({ settings: { DATABASE_URL, DATA_DIR: dataDir } }) {
    if (DATABASE_URL !== undefined) return [];
    const findings: Finding[] = [];
    for (const name of [DATABASE_FILE, LOG_FILE]) {
      const file = path.join(dataDir, name);
      const size = (await stat(file).catch(() => undefined))?.size;
      if (size !== undefined) findings.push(checkFile(file, name, size));
      const wal = (await stat(`${file}-wal`).catch(() => undefined))?.size ?? 0;
      if (wal < LARGE_WAL_BYTES) continue;
      const advice =
        'a process reads from the database for very long: stop it, or restart the server';
      findings.push(warning(`${name}-wal has ${formatMib(wal)}`, advice));
    }
    return findings;
  },
};

function checkFile(file: string, name: string, size: number): Finding {
  if (size > QUICK_CHECK_BYTES) {
    return ok(`${name} has ${formatMib(size)}: \`latchkey backup\` checks its integrity`);
  }
  const [damage] = checkSqliteFile(file);
  if (damage === undefined) return ok(`${name} is intact, ${formatMib(size)}`);
  return fault(
    `${name} is damaged: ${damage.trim()}`,
    'stop the server, keep the files, and restore the last backup',
  );
}

/** About what is on the disk. */
export const directoryChecks: readonly Check[] = [directory, disk, masterKey, files];
