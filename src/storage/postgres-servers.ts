import pg from 'pg';
import {
  type PostgresAddress,
  type SessionAttributes,
  parsePostgresUrl,
} from '../lib/postgres-url.ts';

// A single server has nobody to take its place, so it is given more time.
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_OF_SEVERAL_MS = 2_000;
/** What a server answers that is not the one to write to: read_only_sql_transaction. */
export const READ_ONLY_STATE = '25006';
// protocol_violation: how poolers refuse what they do not know how to carry over.
const PROTOCOL_VIOLATION = '08P01';

/** Counts and times fit a double: bigint columns arrive as numbers, not as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};

/** The server took the connection and cannot serve us: it is a standby, or set to read only. */
class ReadOnlyServerError extends Error {
  readonly code = READ_ONLY_STATE;

  constructor(name: string) {
    super(`${name} does not accept writes: it is a standby or read-only`);
  }
}

/** How a connection is made. */
export interface ConnectionOptions {
  applicationName: string;
  /** For the server to give up a statement; a pooler that knows no such thing goes without. */
  statementTimeoutMs: number;
  /** For us to give it up. */
  queryTimeoutMs: number;
}

/**
 * The servers that one connection string names, and which of them is the one to write to. The driver
 * knows one host: which, is said here for each connection anew, so that the service moves on when
 * another server has become the primary.
 */
export class PostgresServers {
  readonly addresses: readonly PostgresAddress[];
  readonly connectTimeoutMs: number;
  readonly #session: SessionAttributes;
  readonly #transport: Pick<pg.ClientConfig, 'ssl' | 'sslnegotiation'>;
  readonly #moves = new Set<(address: PostgresAddress) => void>();
  #next = 0;
  #worked: PostgresAddress | undefined;
  #takesStatementTimeout = true;

  constructor(connectionString: string) {
    const { addresses, session, connectTimeoutMs, tls, sslNegotiation } =
      parsePostgresUrl(connectionString);
    this.addresses = addresses;
    this.#session = session;
    this.#transport = {
      ...(tls !== undefined && { ssl: tls }),
      ...(sslNegotiation && { sslnegotiation: sslNegotiation }),
    };
    const usual = addresses.length > 1 ? CONNECT_TIMEOUT_OF_SEVERAL_MS : CONNECT_TIMEOUT_MS;
    this.connectTimeoutMs = connectTimeoutMs ?? usual;
  }

  /** Called when another server than before takes connections; what is left on others is of no use. */
  onMove(listener: (address: PostgresAddress) => void): () => void {
    this.#moves.add(listener);
    return () => void this.#moves.delete(listener);
  }

  /** The server to try next: the one that worked last, or the one after it if that failed. */
  get current(): PostgresAddress {
    const address = this.addresses[this.#next % this.addresses.length];
    if (address === undefined) throw new Error('a connection string names a server');
    return address;
  }

  /** The driver's settings of a connection to one of them. */
  configOf(address: PostgresAddress, options: ConnectionOptions): pg.ClientConfig {
    return {
      connectionString: address.connectionString,
      ...this.#transport,
      types,
      application_name: options.applicationName,
      connectionTimeoutMillis: this.connectTimeoutMs,
      query_timeout: options.queryTimeoutMs,
      keepAlive: true,
      ...(this.#takesStatementTimeout ? { statement_timeout: options.statementTimeoutMs } : {}),
    };
  }

  /** Told of a connection that can be used. */
  worked(address: PostgresAddress): void {
    const before = this.#worked;
    this.#worked = address;
    this.#next = this.addresses.indexOf(address);
    // Where any session will do, those on other servers do too.
    if (before === undefined || before === address || this.#session === 'any') return;
    for (const listener of this.#moves) listener(address);
  }

  /** Told of a connection that could not be made. Many fail at once, and move on by one server. */
  failed(address: PostgresAddress, error: unknown): void {
    if (isRefusedTimeout(error)) this.#takesStatementTimeout = false;
    else if (address === this.current) this.#next = this.addresses.indexOf(address) + 1;
  }

  /** How often to try until every server has been asked, given why the last attempt failed. */
  attemptsAfter(error: unknown): number {
    return this.addresses.length + (isRefusedTimeout(error) ? 1 : 0);
  }

  /** @throws when the session is none to write in */
  async check(address: PostgresAddress, client: ServerClient): Promise<void> {
    if (this.#session === 'any') return;
    const { isStandby, isReadOnly } = client;
    // The server says so as it lets us in; one that does not, or says no, is asked. What a pooler
    // says may be of yesterday.
    if (isStandby === false && (isReadOnly === false || this.#session === 'primary')) return;
    const question =
      this.#session === 'primary'
        ? 'select pg_catalog.pg_is_in_recovery()::text as no'
        : "select pg_catalog.current_setting('transaction_read_only') as no";
    const { rows } = await client.query<{ no: string }>(question);
    if (rows[0]?.no === 'on' || rows[0]?.no === 'true') throw new ReadOnlyServerError(address.name);
    client.isStandby = false;
    client.isReadOnly = false;
  }

  /** Whether the server has said of a connection that it takes no changes any more. */
  isDemoted({ isStandby, isReadOnly }: ServerClient): boolean {
    if (this.#session === 'any') return false;
    return isStandby === true || (isReadOnly === true && this.#session === 'read-write');
  }
}

/** PgBouncer refuses startup parameters that it is not told to ignore. */
function isRefusedTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === PROTOCOL_VIOLATION &&
    error.message.includes('statement_timeout')
  );
}

type Connected = (error?: Error) => void;

/** A connection to one of several servers. */
export class ServerClient extends pg.Client {
  readonly address: PostgresAddress;
  readonly #servers: PostgresServers;
  /** As the server tells it from version 14 on, at the start and when it changes. */
  isStandby: boolean | undefined;
  isReadOnly: boolean | undefined;

  constructor(servers: PostgresServers, options: ConnectionOptions, address = servers.current) {
    super(servers.configOf(address, options));
    this.#servers = servers;
    this.address = address;
    // Between the steps of its start nobody else listens, and an error that nobody hears ends the process.
    this.on('error', () => {});
    this.connection.on('parameterStatus', (status: ParameterStatus) => this.#note(status));
  }

  #note({ parameterName, parameterValue }: ParameterStatus): void {
    if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    if (parameterName === 'default_transaction_read_only') {
      this.isReadOnly = parameterValue === 'on';
    }
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    if (callback === undefined) return this.#connect();
    void this.#tell(callback);
  }

  /** The pool still speaks in callbacks. */
  async #tell(onConnected: Connected): Promise<void> {
    let failure: Error | undefined;
    try {
      await this.#connect();
    } catch (error) {
      failure = error as Error;
    }
    onConnected(failure);
  }

  async #connect(): Promise<pg.Client> {
    try {
      await super.connect();
      await this.#servers.check(this.address, this);
    } catch (error) {
      this.#servers.failed(this.address, error);
      // Its end is known, and no news for whoever waits for news of it.
      super.end().catch(() => {});
      this.cut();
      throw error;
    }
    this.#servers.worked(this.address);
    return this;
  }

  /** Ends it without a goodbye: what is under way fails as on a connection that broke. */
  cut(): void {
    this.connection.stream.destroy();
  }
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}
