import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { settledWithin } from '../lib/deadline.ts';
import type { Dialect } from './dialect.ts';
import type { Schema } from './schema.ts';

const POOL_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
// No statement of ours needs longer; a stuck one must not hold a connection for ever.
const STATEMENT_TIMEOUT_MS = 10_000;
// The server cancels first, if it still answers: then the connection is as good as before.
const ANSWER_MARGIN_MS = 1_000;
// How long statements that are under way may take to end when the pool is closed.
const CLOSE_TIMEOUT_MS = 2_000;

// serialization_failure, deadlock_detected: https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
const CONFLICT_STATES = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
// Class 08, a server that shuts down or is not ready yet, and what the socket itself reports.
const CONNECTION_LOST = /^(08...|57P0[1-3]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
// The driver gives these no code.
const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error)/;
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';
// Not lost, and yet no fault of the request: query_canceled, which is the statement timeout; class 53,
// insufficient resources; read_only_sql_transaction, a server that is no longer the primary.
const OVERLOADED = /^(57014|53...|25006)$/;

/** Counts and times fit a double: bigint columns arrive as numbers, not as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};

/** The settings of every connection to the server, the pool's and the announcement channel's. */
export function postgresConnection(
  connectionString: string,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): pg.ClientConfig {
  return {
    connectionString,
    types,
    application_name: 'latchkey',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
    keepAlive: true,
  };
}

function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function isConnectionLost(error: unknown): boolean {
  return (
    CONNECTION_LOST.test(stateOf(error) ?? '') ||
    (error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message))
  );
}

/** The connection is of no use any more: it broke, or what it was asked last is still under way. */
function isUseless(error: unknown): boolean {
  return (
    isConnectionLost(error) || (error instanceof Error && error.message === QUERY_TIMEOUT_MESSAGE)
  );
}

/**
 * A pool as Kysely uses it, which never serves a useless connection again, and which remembers the
 * errors that say that the server is in trouble: only here they cannot be mistaken for others.
 */
class WatchfulPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #troubles = new WeakSet<object>();

  constructor(config: pg.PoolConfig, onIdleError: (error: Error) => void) {
    this.#pool = new pg.Pool(config);
    this.#pool.on('error', onIdleError);
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      // A connection that breaks between two statements of a transaction has nobody else to tell, and
      // an error event that nobody hears ends the process. The next statement fails anyway.
      client.on('error', () => {});
    });
    this.#pool.on('remove', (client) => this.#clients.delete(client));
  }

  get options(): object {
    return this.#pool.options;
  }

  /** Whether the error came from a server that cannot be reached, does not answer or refuses work. */
  isTrouble(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#troubles.has(error);
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      return this.#watch(await this.#pool.connect());
    } catch (error) {
      // Whatever keeps a connection from being made is none of the request's doing.
      this.#troubles.add(error as Error);
      throw error;
    }
  }

  #watch(client: pg.PoolClient): PostgresPoolClient {
    let failure: unknown;
    const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      // What Kysely sends after a failure is the rollback; the server has done it, or will.
      if (failure !== undefined) throw failure;
      try {
        return await client.query(text, values as unknown[]);
      } catch (error) {
        if (isUseless(error)) failure = error;
        if (isUseless(error) || OVERLOADED.test(stateOf(error) ?? '')) {
          this.#troubles.add(error as Error);
        }
        throw error;
      }
    };
    return {
      // The interface also has a form for cursors, which nothing here uses.
      query: query as PostgresPoolClient['query'],
      // To destroy a connection with a statement under way is to cut it, so it ends there too.
      release: (destroy) => client.release(destroy === true || failure !== undefined),
    };
  }

  /** Waits for what is under way, but not for ever: then the connections are cut. */
  async end(): Promise<void> {
    const ended = this.#pool.end();
    if (!(await settledWithin(CLOSE_TIMEOUT_MS, ended))) {
      for (const client of this.#clients) client.connection.stream.destroy();
    }
    await settledWithin(CLOSE_TIMEOUT_MS, ended);
  }
}

/**
 * Opens a pool on a PostgreSQL server, 15 or newer.
 * @param onIdleError told of connections that break while nobody uses them
 * @param connections at most so many at once
 */
export function openPostgres(
  connectionString: string,
  onIdleError: (error: Error) => void,
  statementTimeoutMs?: number,
  connections = POOL_CONNECTIONS,
): Dialect {
  const pool = new WatchfulPool(
    { ...postgresConnection(connectionString, statementTimeoutMs), max: connections },
    onIdleError,
  );
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    traits: { name: 'postgres', text: sql`text collate "C"`, clustered: sql`` },
    reader: kysely,
    writer: kysely,
    transact: (work) => kysely.transaction().execute(work),
    isConflict: (error) => CONFLICT_STATES.has(stateOf(error) ?? ''),
    isConnectionLost,
    isTrouble: (error) => pool.isTrouble(error),
    isUniqueViolation: (error) => stateOf(error) === UNIQUE_VIOLATION,
    close: () => kysely.destroy(),
  };
}
