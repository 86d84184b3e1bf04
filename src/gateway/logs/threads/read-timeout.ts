/** How long a statement that reads logs may take; then PostgreSQL cancels it. */
export const READ_STATEMENT_TIMEOUT_MS = 30_000;
/**
 * How long a call of the thread that reads may take. PostgreSQL, and then its driver, must have given up
 * before: to end the thread rejects all calls that wait for it.
 */
export const READ_TIMEOUT_MS = READ_STATEMENT_TIMEOUT_MS + 5_000;
