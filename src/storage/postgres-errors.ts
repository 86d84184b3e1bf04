/** The next step for errors of PostgreSQL and of its connection, by SQLSTATE or Node's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'check the user name, the password and pg_hba.conf',
  '28P01': 'check the user name and the password',
  '3D000': 'create the database, or correct its name',
  '42501':
    'grant the role the right to create tables: GRANT CREATE, USAGE ON SCHEMA public TO the role',
  '3F000': 'create the schema that search_path names',
  '53300': 'raise the connection limit, or lower LATCHKEY_DATABASE_POOL_SIZE',
  '57P03': 'the server is starting or stopping: try again',
  '25006': 'use the address of the primary',
  ECONNREFUSED: 'check the host and the port, and that the server accepts TCP connections',
  ENOTFOUND: 'check the host name and DNS',
  EAI_AGAIN: 'check the host name and DNS',
  ETIMEDOUT: 'check the host, the port and the firewall',
  EHOSTUNREACH: 'check the host and the network',
  ENETUNREACH: 'check the host and the network',
  ENOENT: 'check the path of the socket',
  EACCES: 'check the permissions of the socket',
  CERT_HAS_EXPIRED: 'renew the certificate of the database server',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'use a host name of the certificate, or sslmode=verify-ca with sslrootcert',
};

const UNTRUSTED = 'name the certificate authority with sslrootcert, or use sslmode=no-verify';
const UNTRUSTED_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const FILE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EACCES']);
// Not the five-letter codes of Node, such as EPIPE.
const SQLSTATE = /^(?!E)[0-9A-Z]{5}$/;
const MESSAGES: readonly [pattern: RegExp, advice: string][] = [
  [/does not support SSL/, 'use sslmode=disable, or enable TLS on the server'],
  [/timeout|terminated/i, 'check the host, the port, the firewall and the load of the server'],
];

/**
 * Explains an error of a database connection or statement to an operator, with the next step.
 * @param place hosts and ports of the database, without credentials
 * @returns one line; undefined for other errors
 */
export function explainPostgresError(error: unknown, place: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message, syscall } = first as Error & { code?: unknown; syscall?: unknown };
  const name = typeof code === 'string' ? code : '';
  // Files of this server have the same error codes as the socket of the database.
  if (FILE_CODES.has(name) && syscall !== 'connect') return undefined;
  const advice = UNTRUSTED_CODES.has(name) ? UNTRUSTED : ADVICE[name];
  const found = advice ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  if (found === undefined && !SQLSTATE.test(name)) return undefined;
  // Node appends advice about its own command line.
  const reason = message.replace(/; if the root CA .*/s, '');
  const text = `cannot use the database at ${place} (LATCHKEY_DATABASE_URL): ${reason}`;
  return found === undefined ? text : `${text}: ${found}`;
}
