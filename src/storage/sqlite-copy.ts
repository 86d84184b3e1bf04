import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, backup } from 'node:sqlite';

// So many are copied between two looks at whether to go on: some milliseconds.
const PAGES_PER_STEP = 1_024;
const BUSY_TIMEOUT_MS = 10_000;

/** How far a copy has come. */
export interface CopyProgress {
  totalPages: number;
  remainingPages: number;
}

/**
 * Copies an embedded database as it is at one moment, also while a server writes to it, into a new file
 * that only its owner may read and that needs no other file beside it. What is written meanwhile stays in
 * the write-ahead log of the original, which therefore grows until the copy is done.
 * @param onProgress now and then; what it throws ends the copy
 * @throws when the copy cannot be written, or is there already
 */
export async function copySqliteFile(
  file: string,
  copy: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // Without a snapshot that is held, SQLite begins again whenever somebody writes, and never ends.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_schema').get();
    closeSync(openSync(copy, 'wx', 0o600));
    await backup(source, copy, { rate: PAGES_PER_STEP, progress: onProgress });
  } finally {
    source.close();
  }
  const copied = new DatabaseSync(copy);
  try {
    // A database in WAL mode leaves files beside itself wherever it is looked at.
    copied.exec('pragma journal_mode = delete');
  } finally {
    copied.close();
  }
}

/**
 * Looks at every page, and at every index beside its table.
 * @returns what is wrong, a few lines at most; empty: nothing
 */
export function checkSqliteFile(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = database.prepare('pragma integrity_check(5)').all();
    return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok');
  } finally {
    database.close();
  }
}
