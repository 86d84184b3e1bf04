import type { Dialect } from '../../storage/dialect.ts';

/**
 * The kind of an error in a log thread:
 * - `unavailable`: the database cannot be opened or reached, does not respond or is full, or the thread ended. A later
 *   attempt may succeed.
 * - `refused`: the database permanently rejects the data.
 * - `failed`: any other error, which may be temporary.
 */
export type FailureKind = 'unavailable' | 'refused' | 'failed';

/** An error in a message between threads. */
export interface StoreFailure {
  kind: FailureKind;
  message: string;
  stack: string | undefined;
  /** The state of the storage, in a text for clients; undefined if unknown. */
  reason: string | undefined;
}

/** An error in a log thread. */
export class LogStoreError extends Error {
  readonly kind: FailureKind;
  /** See {@link StoreFailure}. */
  readonly reason: string | undefined;

  constructor(kind: FailureKind, message: string, reason?: string) {
    super(message);
    this.kind = kind;
    this.reason = reason;
  }
}

// SQLSTATE object_not_in_prerequisite_state, such as a lock timeout.
const TEMPORARY_STATES = /^55/;
const CHECK_VIOLATION = '23514';
// SQLSTATE data_exception, integrity_constraint_violation and program_limit_exceeded.
const REFUSED_STATES = /^(22|23|54)/;
// SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH.
const REFUSED_ERRCODES = new Set([18, 19, 20]);
// Errors of node:sqlite for values that it cannot bind.
const REFUSED_CODES = new Set(['ERR_INVALID_ARG_TYPE', 'ERR_OUT_OF_RANGE']);

/**
 * Classifies an error of a log thread.
 * @param database undefined: it could not be opened
 */
export function classifyError(
  error: unknown,
  database: Pick<Dialect, 'isConflict' | 'isConnectionLost' | 'troubleOf'> | undefined,
): StoreFailure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const reason = database?.troubleOf(error)?.reason;
  return { kind: kindOf(error, database), message, stack, reason };
}

function kindOf(error: unknown, database: Parameters<typeof classifyError>[1]): FailureKind {
  if (database === undefined) return 'unavailable';
  const isUnavailable =
    database.isConflict(error) ||
    database.isConnectionLost(error) ||
    database.troubleOf(error) !== undefined;
  if (isUnavailable || isTemporary(error)) return 'unavailable';
  return isRefusal(error) ? 'refused' : 'failed';
}

/** Returns true if PostgreSQL rejected a row because no partition exists for its day. */
export function lacksPartition(error: unknown): boolean {
  // The error of a missing partition names no constraint.
  const isViolation = codeOf(error) === CHECK_VIOLATION;
  return isViolation && (error as { constraint?: string }).constraint === undefined;
}

function isTemporary(error: unknown): boolean {
  // Another node may be dropping the partition.
  return lacksPartition(error) || TEMPORARY_STATES.test(codeOf(error));
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return REFUSED_ERRCODES.has(primaryErrcode(error.errcode));
  const code = codeOf(error);
  if (REFUSED_CODES.has(code) || REFUSED_STATES.test(code)) return true;
  // The code of the server failed for a value.
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Returns the code of SQLite, PostgreSQL or Node.js; empty if the error has none. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: string | number };
  return String(code ?? '');
}

/** The low byte of an extended code is the primary code. */
function primaryErrcode(errcode: unknown): number {
  return Number(errcode) & 0xff;
}
