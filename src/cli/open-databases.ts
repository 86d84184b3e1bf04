import type { Settings } from '../config/settings.ts';
import { type Database, openDatabase, openDatabaseForReading } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';

const report: ReportTrouble = (error, message) => {
  process.stderr.write(`latchkey: ${message}: ${error.message}\n`);
};

type Location = Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>;

/** The database for a command that needs it for itself. */
export function openOwnDatabase({ DATABASE_URL, DATA_DIR }: Location): Database {
  return openDatabase({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR }, report);
}

/** The database beside a server that runs. */
export function openSharedDatabase({ DATABASE_URL, DATA_DIR }: Location): Database {
  return openDatabase({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, isShared: true }, report);
}

/** The database beside a server that runs, for a command that changes nothing. */
export function openReadDatabase({
  DATABASE_URL,
  DATA_DIR,
}: Location): Pick<Database, 'read' | 'close'> {
  return openDatabaseForReading({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR }, report);
}
