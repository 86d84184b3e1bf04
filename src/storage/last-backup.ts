import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Name of the file in the data directory whose time is that of the last backup: a metric shows it. */
export const LAST_BACKUP_FILE = 'last-backup';

/** Where the data directory cannot be written to, nothing is noted: the backup is as good. */
export async function noteBackup(dataDir: string): Promise<void> {
  try {
    await writeFile(path.join(dataDir, LAST_BACKUP_FILE), '', { mode: 0o600 });
  } catch {
    // The backup is not at stake.
  }
}
