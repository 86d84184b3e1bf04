import { type StorageTrouble, storageTroubles } from './storage-trouble.ts';

/** The files of an open database are not where they were: what is written now would be lost. */
export class FileReplaced extends Error {}

/** The disk, or the directory of an open database, is gone or closed to us. */
export class FileUnreadable extends Error {}

// https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;

/** By primary code. A disk that turned read-only under an open file is an SQLITE_IOERR, as a quota is. */
const TROUBLES: ReadonlyMap<number, StorageTrouble> = new Map<number, StorageTrouble>([
  [3, storageTroubles.failing], // SQLITE_PERM
  [SQLITE_BUSY, storageTroubles.busy],
  [7, storageTroubles.failing], // SQLITE_NOMEM
  [8, storageTroubles.readOnly], // SQLITE_READONLY
  [10, storageTroubles.failing], // SQLITE_IOERR
  [11, storageTroubles.damaged], // SQLITE_CORRUPT
  [13, storageTroubles.full], // SQLITE_FULL
  [14, storageTroubles.failing], // SQLITE_CANTOPEN
  [15, storageTroubles.busy], // SQLITE_PROTOCOL: the locks of the write-ahead log were not to be had
  [26, storageTroubles.damaged], // SQLITE_NOTADB
]);

function errcodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** The low byte of an extended code is the primary code. */
function primaryCodeOf(error: unknown): number {
  return (errcodeOf(error) ?? 0) & 0xff;
}

/** What an error of SQLite says about the file; undefined when the statement is at fault. */
export function sqliteTroubleOf(error: unknown): StorageTrouble | undefined {
  if (error instanceof FileReplaced) return storageTroubles.replaced;
  if (error instanceof FileUnreadable) return storageTroubles.failing;
  return TROUBLES.get(primaryCodeOf(error));
}

/** Whether another process held a lock for too long. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_BUSY;
}

/** Whether a unique constraint or a primary key refused the row. */
export function isUniqueViolation(error: unknown): boolean {
  const errcode = errcodeOf(error);
  return errcode === SQLITE_CONSTRAINT_PRIMARYKEY || errcode === SQLITE_CONSTRAINT_UNIQUE;
}

const MAKE_ROOM = 'free disk space';
const MAKE_WRITABLE = 'give the server write access to the file and its directory';
const ADVICE: ReadonlyMap<StorageTrouble, string> = new Map<StorageTrouble, string>([
  [storageTroubles.full, MAKE_ROOM],
  [
    storageTroubles.damaged,
    'restore it from a backup, or move it aside to start with an empty database',
  ],
  [storageTroubles.busy, 'another process has locked it; stop that process'],
  [storageTroubles.readOnly, MAKE_WRITABLE],
  [storageTroubles.failing, MAKE_WRITABLE],
]);

// What the file system itself says, before SQLite is asked.
const UNWRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR', 'EEXIST']);
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function adviceOn(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNWRITABLE_CODES.has(code)) return MAKE_WRITABLE;
  if (FULL_CODES.has(code)) return MAKE_ROOM;
  const trouble = sqliteTroubleOf(error);
  return trouble && ADVICE.get(trouble);
}

/** One line for an operator whose server does not start: which file, what is wrong, what to do. */
export function openingError(file: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = adviceOn(error);
  const text = `cannot use the database ${file}: ${reason}`;
  return new Error(advice === undefined ? text : `${text} (${advice})`, { cause: error });
}
