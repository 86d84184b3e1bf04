import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Dialect } from './dialect.ts';
import type { Schema } from './schema.ts';

const POOL_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
// No statement of ours needs longer; a stuck one must not hold a connection for ever.
const STATEMENT_TIMEOUT_MS = 30_000;

// serialization_failure, deadlock_detected: https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
const CONFLICT_STATES = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
// Class 08, a server that shuts down or is not ready yet, and what the socket itself reports.
const CONNECTION_LOST = /^(08...|57P0[1-3]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
// The driver gives these no code.
const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error)/;

/** Counts and times fit a double: bigint columns arrive as numbers, not as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};

/** The settings of every connection to the server, the pool's and the announcement channel's. */
export function postgresConnection(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    types,
    application_name: 'latchkey',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  };
}

function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Opens a pool on a PostgreSQL server, 15 or newer.
 * @param onIdleError told of connections that break while nobody uses them
 */
export function openPostgres(
  connectionString: string,
  onIdleError: (error: Error) => void,
): Dialect {
  const pool = new pg.Pool({ ...postgresConnection(connectionString), max: POOL_CONNECTIONS });
  pool.on('error', onIdleError);
  // A connection that breaks between two statements of a transaction has nobody else to tell, and
  // an error event that nobody hears ends the process. The next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    traits: { name: 'postgres', text: sql`text collate "C"`, clustered: sql`` },
    reader: kysely,
    writer: kysely,
    isConflict: (error) => CONFLICT_STATES.has(stateOf(error) ?? ''),
    isConnectionLost: (error) =>
      CONNECTION_LOST.test(stateOf(error) ?? '') ||
      (error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message)),
    isUniqueViolation: (error) => stateOf(error) === UNIQUE_VIOLATION,
    close: () => kysely.destroy(),
  };
}
