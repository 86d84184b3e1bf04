/** A connection string that cannot be used; the message completes "LATCHKEY_DATABASE_URL …" without secrets. */
export class PostgresUrlError extends Error {}
