import { readFileSync } from 'node:fs';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import { PostgresUrlError } from './postgres-url-error.ts';

/** TLS options of the driver; false: none; undefined: the connection string does not say. */
export type PostgresTls = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'checkServerIdentity'
>;

/** The supported values of `sslmode`. */
export const SSL_MODES = ['disable', 'no-verify', 'verify-ca', 'require', 'verify-full'] as const;

// Values of the driver's own parameter `ssl`.
const SSL_VALUES: Readonly<Record<string, (typeof SSL_MODES)[number]>> = {
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
  'no-verify': 'no-verify',
};

/**
 * Reads and removes the TLS parameters of a connection string: `sslmode`, `ssl`, `sslrootcert`, `sslcert` and
 * `sslkey` of libpq (PostgreSQL documentation, section 32.1.2). Encryption never falls back to plain text, and
 * `require` verifies the server as `verify-full` does, unlike libpq.
 * @throws PostgresUrlError for an unsupported value or an unreadable file
 */
export function takeTls(parameters: URLSearchParams): PostgresTls | false | undefined {
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value;
  };
  const [ssl, sslmode] = [take('ssl'), take('sslmode')];
  const [root, cert, key] = [take('sslrootcert'), take('sslcert'), take('sslkey')];
  const mode = sslmode === undefined ? modeOfSsl(ssl) : parseMode(sslmode);
  if ((cert === undefined) !== (key === undefined)) {
    throw new PostgresUrlError('must have sslcert and sslkey, or neither of them');
  }
  if (mode === undefined && root === undefined && cert === undefined) return undefined;
  if (mode === 'disable') return false;
  if (mode === 'verify-ca' && root === undefined) {
    throw new PostgresUrlError('must have sslrootcert with sslmode=verify-ca');
  }
  return {
    ...(root !== undefined && { ca: readRoots(root) }),
    ...(cert !== undefined && { cert: readFile('sslcert', cert) }),
    ...(key !== undefined && { key: readFile('sslkey', key) }),
    ...(mode === 'no-verify' && { rejectUnauthorized: false }),
    // Any host with a certificate of this authority is accepted.
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}

function modeOfSsl(value: string | undefined): (typeof SSL_MODES)[number] | undefined {
  if (value === undefined) return undefined;
  if (!Object.hasOwn(SSL_VALUES, value)) {
    throw new PostgresUrlError(`must have ssl=${Object.keys(SSL_VALUES).join(', ')} or none`);
  }
  return SSL_VALUES[value];
}

function parseMode(value: string): (typeof SSL_MODES)[number] {
  const mode = SSL_MODES.find((known) => known === value);
  if (mode !== undefined) return mode;
  const isOptional = value === 'prefer' || value === 'allow';
  const reason = isOptional ? `: the server does not fall back to plain text as ${value} does` : '';
  throw new PostgresUrlError(`must have sslmode ${SSL_MODES.join(', ')} or none${reason}`);
}

function readRoots(file: string): string | string[] {
  return file === 'system' ? getCACertificates('system') : readFile('sslrootcert', file);
}

function readFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PostgresUrlError(`names ${name}=${file}, which cannot be read: ${code}`);
  }
}
