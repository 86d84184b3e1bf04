import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../config/settings.ts';
import { type Database, openDatabase, openDatabaseForReading } from '../storage/database.ts';
import type { ReportTrouble } from '../storage/invalidation.ts';
import { LOG_FILE } from '../storage/log-file.ts';
import { openSqliteForReading } from '../storage/sqlite.ts';

const report: ReportTrouble = (error, message) => {
  process.stderr.write(`latchkey: ${message}: ${error.message}\n`);
};

type Location = Pick<Settings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR'>;

const placeOf = ({ DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Location) => ({
  databaseUrl: DATABASE_URL,
  directUrl: DATABASE_DIRECT_URL,
  dataDir: DATA_DIR,
});

/** The database for a command that needs it for itself. */
export function openOwnDatabase(location: Location): Database {
  return openDatabase(placeOf(location), report);
}

/** The database beside a server that runs. */
export function openSharedDatabase(location: Location): Database {
  return openDatabase({ ...placeOf(location), isShared: true }, report);
}

/** The database beside a server that runs, for a command that changes nothing. */
export function openReadDatabase(location: Location): Pick<Database, 'read' | 'close'> {
  return openDatabaseForReading(placeOf(location), report);
}

/** The embedded database of the gateway's logs, to read from it; undefined: not created yet. */
export function openLogFile({
  DATA_DIR,
}: Pick<Location, 'DATA_DIR'>): Pick<Database, 'read' | 'close'> | undefined {
  const file = path.join(DATA_DIR, LOG_FILE);
  if (!existsSync(file)) return undefined;
  const dialect = openSqliteForReading(file);
  return { read: dialect.reader, close: () => dialect.close() };
}
