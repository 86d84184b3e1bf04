import { type PostgresTls, takeTls } from './postgres-tls.ts';
import { PostgresUrlError } from './postgres-url-error.ts';

/** Required properties of a session, as in libpq. */
export type SessionAttributes = 'read-write' | 'primary' | 'any';

/** A PostgreSQL server of a connection string. */
export interface PostgresAddress {
  /** `host:port` for messages. */
  name: string;
  /** With this host only, and without parameters that the driver does not know. */
  connectionString: string;
}

/** The parts of a connection string with one or more hosts. */
export interface PostgresUrl {
  /** At least one, in the order in which the server tries them. */
  addresses: readonly PostgresAddress[];
  session: SessionAttributes;
  /** For one host. */
  connectTimeoutMs: number | undefined;
  tls: PostgresTls | false | undefined;
  /** Undefined: the TLS handshake follows PostgreSQL's own. */
  sslNegotiation: 'direct' | undefined;
}

const SESSIONS: readonly SessionAttributes[] = ['read-write', 'primary', 'any'];
const MAX_HOSTS = 16;
const MAX_PORT = 65_535;
const DEFAULT_PORT = '5432';
// Seconds, of which libpq takes no less than two: one is often not enough for a handshake.
const MIN_CONNECT_TIMEOUT_SECONDS = 2;
const MAX_CONNECT_TIMEOUT_SECONDS = 60;
const MS_PER_SECOND = 1_000;

/**
 * Reads `postgres://user:password@host1:5432,host2/db?target_session_attrs=read-write`, or the hosts in
 * `?host=…&port=…`, as libpq does (https://www.postgresql.org/docs/current/libpq-connect.html, 32.1.1.3).
 * Unlike there, the default is a session that can write, because the server needs write access.
 * @throws PostgresUrlError
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, scheme, rest] = /^(postgres(?:ql)?:\/\/)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw new PostgresUrlError('must start with postgres:// or postgresql://');
  }
  const [authority, path] = splitBefore(rest, /[/?#]/);
  const [pathname, search] = splitBefore(path, /\?/);
  const at = authority.lastIndexOf('@') + 1;
  const parameters = new URLSearchParams(search);
  const session = takeSession(parameters);
  const connectTimeoutMs = takeConnectTimeout(parameters);
  const tls = takeTls(parameters);
  const sslNegotiation = takeSslNegotiation(parameters, tls);
  const places = placesOf(authority.slice(at), parameters);
  rejectUnknown(parameters);
  if (places.length > MAX_HOSTS) throw new PostgresUrlError(`must name at most ${MAX_HOSTS} hosts`);
  const query = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const prefix = scheme + authority.slice(0, at);
  const addresses = places.map(({ host, port }) => ({
    name: `${decode(host) || 'localhost'}:${port || DEFAULT_PORT}`,
    connectionString: `${prefix}${host}${port && `:${port}`}${pathname}${query}`,
  }));
  return { addresses, session, connectTimeoutMs, tls, sslNegotiation };
}

interface Place {
  host: string;
  /** Empty: the usual one. */
  port: string;
}

function placesOf(hostList: string, parameters: URLSearchParams): Place[] {
  const places = hostList.split(',').map(parsePlace);
  const hosts = takeAll(parameters, 'host');
  const ports = takeAll(parameters, 'port');
  // A host of the parameters takes the place of those before the path, as in libpq.
  const named =
    hosts === undefined ? places : hosts.map((host) => ({ host: encode(host), port: '' }));
  if (named.length > 1 && named.some(({ host }) => host === '')) {
    throw new PostgresUrlError('has an empty name among its hosts');
  }
  if (ports === undefined) return named;
  if (ports.length !== 1 && ports.length !== named.length) {
    throw new PostgresUrlError('must have one port for all hosts, or one for each host');
  }
  return named.map(({ host }, index) => ({
    host,
    port: checkPort(ports[ports.length === 1 ? 0 : index] ?? ''),
  }));
}

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. */
function parsePlace(text: string): Place {
  const [, host, port = ''] = /^(\[[0-9A-Fa-f:.%]*\]|[^:[\]]*)(?::(\d*))?$/.exec(text) ?? [];
  if (host === undefined) {
    throw new PostgresUrlError(
      'is malformed: every host must have the form host, host:port or [IPv6]:port',
    );
  }
  return { host, port: checkPort(port) };
}

function checkPort(port: string): string {
  if (port !== '' && !/^\d{1,5}$/.test(port))
    throw new PostgresUrlError('contains an invalid port');
  if (port !== '' && (Number(port) < 1 || Number(port) > MAX_PORT)) {
    throw new PostgresUrlError('contains an invalid port');
  }
  return port;
}

/** In brackets, or with what is not allowed in a host percent-encoded, as in the path of a socket. */
function encode(host: string): string {
  return host.includes(':') ? `[${host}]` : encodeURIComponent(host);
}

function decode(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    throw new PostgresUrlError('is malformed: special characters must be percent-encoded');
  }
}

function takeSession(parameters: URLSearchParams): SessionAttributes {
  const given = take(parameters, 'target_session_attrs');
  if (given === undefined) return 'read-write';
  const session = SESSIONS.find((known) => known === given);
  if (session === undefined) {
    throw new PostgresUrlError(
      `must have target_session_attrs ${SESSIONS.join(', ')} or none: the server needs write access`,
    );
  }
  return session;
}

function takeConnectTimeout(parameters: URLSearchParams): number | undefined {
  const given = take(parameters, 'connect_timeout');
  if (given === undefined) return undefined;
  const seconds = Number(given);
  if (!/^\d+$/.test(given) || seconds > MAX_CONNECT_TIMEOUT_SECONDS) {
    throw new PostgresUrlError(
      `must have a connect_timeout of at most ${MAX_CONNECT_TIMEOUT_SECONDS} seconds`,
    );
  }
  // None at all, which libpq means by 0, would let one dead host stop everything.
  if (seconds === 0) return undefined;
  return Math.max(seconds, MIN_CONNECT_TIMEOUT_SECONDS) * MS_PER_SECOND;
}

function takeSslNegotiation(
  parameters: URLSearchParams,
  tls: PostgresTls | false | undefined,
): 'direct' | undefined {
  const given = take(parameters, 'sslnegotiation');
  if (given === undefined || given === 'postgres') return undefined;
  if (given !== 'direct') throw new PostgresUrlError('must have sslnegotiation postgres or direct');
  if (!tls) throw new PostgresUrlError('must have an sslmode with sslnegotiation=direct');
  return 'direct';
}

// The driver applies these, and silently ignores most others.
const PASSED: ReadonlySet<string> = new Set(['application_name', 'options', 'password', 'user']);
const TAKEN = 'connect_timeout, host, port, sslcert, sslkey, sslmode, sslnegotiation, sslrootcert';
const SCHEMA_HINT = ': for a schema, use options=-csearch_path%3DNAME';
const POOL_HINT = ': use the setting LATCHKEY_DATABASE_POOL_SIZE';

/** Parameters of other products with another equivalent here. */
const HINTS: Readonly<Record<string, string>> = {
  schema: SCHEMA_HINT,
  search_path: SCHEMA_HINT,
  currentSchema: SCHEMA_HINT,
  connection_limit: POOL_HINT,
  pool_size: POOL_HINT,
  max: POOL_HINT,
  pgbouncer: ': use the setting LATCHKEY_DATABASE_DIRECT_URL',
  dbname: ': write the database after the host, as in postgres://host/NAME',
};

function rejectUnknown(parameters: URLSearchParams): void {
  const names = [...parameters.keys()];
  const unknown = names.find((name) => !PASSED.has(name));
  if (unknown !== undefined) {
    const shown = /^[\w.-]{1,64}$/.test(unknown) ? unknown : 'with an odd name';
    const hint = Object.hasOwn(HINTS, unknown)
      ? HINTS[unknown]
      : `. Supported: ${[...PASSED].join(', ')}, ${TAKEN}, target_session_attrs`;
    throw new PostgresUrlError(`has the unsupported parameter ${shown}${hint}`);
  }
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new PostgresUrlError(`has the parameter ${duplicate} twice`);
}

function take(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined;
  parameters.delete(name);
  return value;
}

function takeAll(parameters: URLSearchParams, name: string): string[] | undefined {
  return take(parameters, name)?.split(',');
}

function splitBefore(text: string, pattern: RegExp): [string, string] {
  const index = text.search(pattern);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index)];
}
