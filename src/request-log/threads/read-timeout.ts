/** Time limit of a statement that reads logs, after which PostgreSQL cancels it. */
export const READ_STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Time limit of a call of the reader thread. PostgreSQL and its driver stop before, because ending the thread rejects all of
 * its calls.
 */
export const READ_TIMEOUT_MS = READ_STATEMENT_TIMEOUT_MS + 5_000;
