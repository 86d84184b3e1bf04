/** What a session must allow to be of use, in the words of libpq. */
export type SessionAttributes = 'read-write' | 'primary' | 'any';

/** A PostgreSQL server, as one of those that a connection string names. */
export interface PostgresAddress {
  /** `host:port`, as people know it. */
  name: string;
  /** With this host alone, and without what only libpq knows of several. */
  connectionString: string;
}

/** What a connection string with one or more hosts says. */
export interface PostgresUrl {
  /** In the order in which they are tried; at least one. */
  addresses: readonly PostgresAddress[];
  session: SessionAttributes;
  /** For one host; undefined: not said. */
  connectTimeoutMs: number | undefined;
}

/** A connection string that cannot be used; the message completes "… ", and quotes nothing of it. */
export class PostgresUrlError extends Error {}

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
 * Other than there, only sessions that can write are taken unless `any` is asked for: the server is of
 * no use on others.
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
  const places = placesOf(authority.slice(at), parameters);
  if (places.length > MAX_HOSTS) throw new PostgresUrlError(`must name at most ${MAX_HOSTS} hosts`);
  const query = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const prefix = scheme + authority.slice(0, at);
  const addresses = places.map(({ host, port }) => ({
    name: `${decode(host) || 'localhost'}:${port || DEFAULT_PORT}`,
    connectionString: `${prefix}${host}${port && `:${port}`}${pathname}${query}`,
  }));
  return { addresses, session, connectTimeoutMs };
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
