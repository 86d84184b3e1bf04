import { statSync, statfsSync } from 'node:fs';
import path from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { LAST_BACKUP_FILE } from './storage/last-backup.ts';
import type { Settings } from './config/settings.ts';
import type { Metrics } from './http/metrics.ts';
import { DATABASE_FILE } from './storage/database.ts';
import { LOG_FILE } from './storage/log-file.ts';

const MS_PER_SECOND = 1_000;

/** What an operator needs to know of the installation itself, looked up whenever the metrics are asked for. */
export function addInstallationMetrics(metrics: Metrics, settings: Settings): void {
  const { DATA_DIR: dataDir } = settings;
  metrics.info('latchkey_build_info', 'Version of the server, and the database it runs on', {
    version: packageJson.version,
    node: process.versions.node,
    database: settings.DATABASE_URL === undefined ? 'sqlite' : 'postgres',
  });
  metrics.gauge('latchkey_data_dir_free_bytes', 'Free disk space for the data directory', () =>
    freeBytes(dataDir),
  );
  if (settings.DATABASE_URL !== undefined) return;
  const sizes: [string, string, string][] = [
    ['latchkey_sqlite_database_bytes', 'Size of the embedded database', DATABASE_FILE],
    ['latchkey_sqlite_wal_bytes', 'Size of its write-ahead log', `${DATABASE_FILE}-wal`],
    ['latchkey_sqlite_logs_bytes', 'Size of the gateway log file', LOG_FILE],
    ['latchkey_sqlite_logs_wal_bytes', 'Size of its write-ahead log', `${LOG_FILE}-wal`],
  ];
  for (const [name, help, file] of sizes) {
    metrics.gauge(name, help, () => find(path.join(dataDir, file))?.size ?? 0);
  }
  metrics.gauge(
    'latchkey_last_backup_timestamp_seconds',
    'Time of the last backup by `latchkey backup`; 0: never',
    () => (find(path.join(dataDir, LAST_BACKUP_FILE))?.mtimeMs ?? 0) / MS_PER_SECOND,
  );
}

/** None in a directory that is gone, as when its disk was taken away. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

function find(file: string) {
  return statSync(file, { throwIfNoEntry: false });
}
