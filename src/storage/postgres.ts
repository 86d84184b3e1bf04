import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { settledWithin } from '../lib/deadline.ts';
import type { Dialect } from './dialect.ts';
import {
  type ConnectionOptions,
  PostgresServers,
  READ_ONLY_STATE,
  ServerClient,
} from './postgres-servers.ts';
import type { Schema } from './schema.ts';
import { type StorageTrouble, storageTroubles } from './storage-trouble.ts';

const POOL_CONNECTIONS = 10;
// For a connection of the pool to become free.
const ACQUIRE_TIMEOUT_MS = 5_000;
// No statement of ours needs longer; a stuck one must not hold a connection for ever.
const STATEMENT_TIMEOUT_MS = 10_000;
// The server cancels first, if it still answers: then the connection is as good as before.
const ANSWER_MARGIN_MS = 1_000;
// How long statements that are under way may take to end when the pool is closed.
const CLOSE_TIMEOUT_MS = 2_000;

// serialization_failure, deadlock_detected: https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
const CONFLICT_STATES = new Set(['40001', '40P01']);
// too_many_connections, of the server, the database or the role.
const TOO_MANY_CONNECTIONS = '53300';
// Until a smaller pool tries to open more connections again.
const REGROW_MS = 30_000;
const UNIQUE_VIOLATION = '23505';
// Class 08, a server that shuts down or is not ready yet, and what the socket itself reports.
const CONNECTION_LOST =
  /^(08...|57P0[1-3]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
// The driver gives these no code.
const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout expired)/;
const ACQUIRE_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';
// Not lost, and yet no fault of the request: query_canceled, which is the statement timeout; class 53,
// insufficient resources; class 58, an error of its system.
const OVERLOADED = /^(57014|53...|58...)$/;
const SYSTEM_ERROR = /^58/;
const DISK_FULL = '53100';

function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** It broke, or is one to a server that is no longer the primary: another one may do. */
function isConnectionLost(error: unknown): boolean {
  return (
    stateOf(error) === READ_ONLY_STATE ||
    CONNECTION_LOST.test(stateOf(error) ?? '') ||
    (error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message))
  );
}

/** @param error of a server that is in trouble */
function postgresTroubleOf(error: unknown): StorageTrouble {
  const state = stateOf(error) ?? '';
  if (state === DISK_FULL) return storageTroubles.full;
  if (state === READ_ONLY_STATE) return storageTroubles.readOnly;
  return SYSTEM_ERROR.test(state) ? storageTroubles.failing : storageTroubles.unreachable;
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
  readonly #servers: PostgresServers;
  readonly #pool: pg.Pool;
  readonly #clients = new Set<ServerClient>();
  readonly #troubles = new WeakSet<object>();
  readonly #stopFollowing: () => void;
  readonly #connections: number;
  #growth: NodeJS.Timeout | undefined;

  constructor(
    servers: PostgresServers,
    options: ConnectionOptions,
    connections: number,
    onIdleError: (error: Error) => void,
  ) {
    this.#servers = servers;
    this.#connections = connections;
    this.#pool = new pg.Pool({
      max: connections,
      connectionTimeoutMillis: Math.max(ACQUIRE_TIMEOUT_MS, servers.connectTimeoutMs),
      Client: class extends ServerClient {
        constructor() {
          super(servers, options);
        }
      },
    });
    this.#pool.on('error', onIdleError);
    this.#pool.on('connect', (client) => this.#clients.add(asServerClient(client)));
    this.#pool.on('remove', (client) => this.#clients.delete(asServerClient(client)));
    this.#stopFollowing = servers.onMove((address) => {
      for (const client of this.#clients) if (client.address !== address) client.cut();
    });
  }

  get options(): object {
    return this.#pool.options;
  }

  /** Whether the error came from a server that cannot be reached, does not answer or refuses work. */
  isTrouble(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#troubles.has(error);
  }

  async connect(): Promise<PostgresPoolClient> {
    const failures = new Set<string>();
    const deadlineMs = performance.now() + ACQUIRE_TIMEOUT_MS;
    for (let attempts = 1; ; attempts++) {
      try {
        return this.#watch(await this.#pool.connect());
      } catch (error) {
        if (performance.now() < deadlineMs && this.#shrink(error)) {
          attempts--;
          continue;
        }
        // Each failure moves on to the next server, until all of them have been tried.
        failures.add((error as Error).message);
        const isBusy = (error as Error).message === ACQUIRE_TIMEOUT_MESSAGE;
        if (attempts < this.#servers.attemptsAfter(error) && !isBusy) continue;
        const failure = failures.size > 1 ? summarize(failures, error) : (error as Error);
        // Whatever keeps a connection from being made is none of the request's doing.
        this.#troubles.add(failure);
        throw failure;
      }
    }
  }

  /**
   * Lowers the limit of the pool to its present connections if the server has no more, so that requests
   * wait for one of these. Raises it again later.
   * @returns if the pool has a connection to wait for
   */
  #shrink(error: unknown): boolean {
    const pool = this.#pool;
    if (stateOf(error) !== TOO_MANY_CONNECTIONS || pool.totalCount === 0) return false;
    pool.options.max = Math.min(pool.options.max, pool.totalCount);
    clearTimeout(this.#growth);
    this.#growth = setTimeout(() => (pool.options.max = this.#connections), REGROW_MS).unref();
    return true;
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
      release: (destroy) =>
        client.release(destroy === true || failure !== undefined || this.#isDemoted(client)),
    };
  }

  #isDemoted(client: pg.PoolClient): boolean {
    return this.#servers.isDemoted(asServerClient(client));
  }

  /** Waits for what is under way, but not for ever: then the connections are cut. */
  async end(): Promise<void> {
    clearTimeout(this.#growth);
    this.#stopFollowing();
    const ended = this.#pool.end();
    if (!(await settledWithin(CLOSE_TIMEOUT_MS, ended))) {
      for (const client of this.#clients) client.cut();
    }
    await settledWithin(CLOSE_TIMEOUT_MS, ended);
  }
}

/** The pool makes no others. */
function asServerClient(client: pg.PoolClient): ServerClient {
  return client as unknown as ServerClient;
}

function summarize(failures: ReadonlySet<string>, last: unknown): Error {
  const failure = new Error([...failures].join('; '), { cause: last });
  return Object.assign(failure, { code: stateOf(last) });
}

/** Limits of a pool. */
export interface PoolOptions {
  statementTimeoutMs?: number;
  /** Maximum number of connections. */
  connections?: number;
}

/**
 * Opens a pool on a PostgreSQL server, 15 or newer. Of several servers, it uses the primary.
 * @param place a connection string, or servers that other pools use as well
 * @param onIdleError receives errors of connections that are not in use
 */
export function openPostgres(
  place: string | PostgresServers,
  onIdleError: (error: Error) => void,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, connections = POOL_CONNECTIONS }: PoolOptions = {},
): Dialect {
  const servers = typeof place === 'string' ? new PostgresServers(place) : place;
  const options = {
    applicationName: 'latchkey',
    statementTimeoutMs,
    queryTimeoutMs: statementTimeoutMs + ANSWER_MARGIN_MS,
  };
  const pool = new WatchfulPool(servers, options, connections, onIdleError);
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    traits: { name: 'postgres', text: sql`text collate "C"`, clustered: sql`` },
    reader: kysely,
    writer: kysely,
    transact: (work) => kysely.transaction().execute(work),
    isConflict: (error) => CONFLICT_STATES.has(stateOf(error) ?? ''),
    isConnectionLost,
    troubleOf: (error) => (pool.isTrouble(error) ? postgresTroubleOf(error) : undefined),
    isReplaced: () => false,
    nameFile: (error) => error,
    isUniqueViolation: (error) => stateOf(error) === UNIQUE_VIOLATION,
    close: () => kysely.destroy(),
  };
}
