import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import pg from 'pg';
import { type AllowedTarget, parseAllowedTarget } from '../lib/allowed-targets.ts';
import { isMailAddress } from '../lib/mail-address.ts';
import { MasterKey, parseKeyBytes } from '../lib/sealing.ts';
import { PostgresUrlError } from '../lib/postgres-url-error.ts';
import { parsePostgresUrl } from '../lib/postgres-url.ts';
import { type SmtpServer, parseSmtpUrl } from '../lib/smtp-url.ts';
import { type HttpHost, parseHttpHost, parseRedirectScheme } from '../lib/redirect-rules.ts';
import { trimEnd } from '../lib/trim-end.ts';

/** A value that a setting does not take; the message completes "LATCHKEY_X …". */
export class SettingError extends Error {}

/** One of these words. */
export const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): T => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) throw new SettingError(`must be one of ${values.join(', ')}`);
    return value;
  };

/** Yes or no, in the spellings that operators use. */
export function flag(value: string): boolean {
  const text = value.toLowerCase();
  if (['true', 'on', 'yes', '1'].includes(text)) return true;
  if (['false', 'off', 'no', '0'].includes(text)) return false;
  throw new SettingError('must be true or false');
}

/** A whole number within bounds. */
export const integer =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < minimum || value > maximum) {
      throw new SettingError(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };

/** A text without white space at its ends, which would be invisible in messages. */
export function text(value: string): string {
  if (value.trim() !== value) throw new SettingError('must not begin or end with white space');
  return value;
}

/** A host name or IP address to listen on; an IPv6 address may be in brackets. */
export function listenHost(value: string): string {
  const [, bracketed] = /^\[(.+)\]$/.exec(value) ?? [];
  return bracketed !== undefined && isIPv6(bracketed) ? bracketed : text(value);
}

/** An http(s) address without user, query, fragment or trailing slash. */
export function address(value: string): string {
  const url = URL.parse(value);
  if (url?.username || url?.password) {
    throw new SettingError('must not contain a user name or a password');
  }
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    throw new SettingError('must be an http or https URL');
  }
  return trimEnd(url.href, '/');
}

/** A public address of this server, whose path is fixed because pages, cookies and redirects use it. */
export const addressWithPath =
  (pathname: string) =>
  (value: string): string => {
    const url = address(value);
    if (new URL(url).pathname !== pathname) {
      const expected = pathname === '/' ? 'must not have a path' : `must have the path ${pathname}`;
      throw new SettingError(`${expected}: the server does not support a prefix`);
    }
    return url;
  };

const ENTRA_HOST = 'login.microsoftonline.com';
const SHARED_TENANTS = /^\/(?:common|organizations|consumers)(?:\/|$)/i;

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The name of an OpenID provider (OpenID Connect Discovery section 2), kept as it is written: its
 * tokens repeat it to the letter. Plain http is for one on this machine.
 */
export function issuer(value: string): string {
  void address(value);
  const { protocol, hostname, pathname } = new URL(value);
  if (pathname.includes('/.well-known/')) {
    throw new SettingError('must be the issuer, not the URL of its discovery document');
  }
  // A user of any organization could sign in there, with an address of their choice.
  if (hostname === ENTRA_HOST && SHARED_TENANTS.test(pathname)) {
    throw new SettingError(
      'must name the tenant by its id, not common, organizations or consumers',
    );
  }
  if (protocol !== 'https:' && !LOOPBACK_HOSTS.has(hostname)) {
    throw new SettingError('must be an https URL');
  }
  return value;
}

/** A key that is sent in a header. Files of secrets tend to end in a line break. */
export function headerKey(value: string): string {
  const key = value.trim();
  if (!/^[\x20-\x7e]+$/.test(key)) {
    throw new SettingError('must be one line of printable ASCII');
  }
  return key;
}

/** Items with commas between them. */
export function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Private-use schemes of redirect URIs. */
export function redirectSchemes(value: string): string[] {
  return list(value).map((item) => {
    const scheme = parseRedirectScheme(item);
    if (scheme !== undefined) return scheme;
    throw new SettingError(`contains "${item}", which is not a private-use scheme`);
  });
}

/** Hosts of a local network. */
export function redirectHosts(value: string): HttpHost[] {
  return list(value).map((item) => {
    const host = parseHttpHost(item);
    if (host !== undefined) return host;
    throw new SettingError(`contains "${item}", which is not a host of a local network`);
  });
}

/** Whether an item is an IP address or a CIDR range. */
export function isProxyAddress(item: string): boolean {
  return isIP(item) !== 0 || (item.includes('/') && ipaddr.isValidCIDR(item));
}

/** Hosts and IP addresses with or without a port, and CIDR ranges, with commas between them. */
export function allowedTargets(value: string): AllowedTarget[] {
  return list(value).map((item) => {
    const target = parseAllowedTarget(item);
    if (target === undefined) {
      throw new SettingError(`contains "${item}", which is not a host, address or range`);
    }
    return target;
  });
}

const MAX_PORT = 65_535;

/** Whether an item is an IP address, with a port or without: an IPv6 address with one is in brackets. */
function isDnsServer(item: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(item) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > MAX_PORT)) return false;
  if (bracketed !== undefined) return isIPv6(bracketed) && !bracketed.includes('%');
  return isIPv4(plain ?? '') || isIPv6(item);
}

// Each gets its share of the time that a look-up may take.
const MAX_DNS_SERVERS = 5;

/** DNS resolvers, with commas between them. */
export function dnsServers(value: string): string[] {
  const servers = list(value);
  const bad = servers.find((item) => !isDnsServer(item));
  if (bad !== undefined) throw new SettingError(`contains "${bad}", which is not an address`);
  if (servers.length > MAX_DNS_SERVERS) {
    throw new SettingError(`must have at most ${MAX_DNS_SERVERS} addresses`);
  }
  return servers;
}

/** A PostgreSQL connection string. Messages of the driver can contain the password. */
export function databaseUrl(value: string): string {
  try {
    for (const { connectionString } of parsePostgresUrl(value).addresses) {
      // Parses without connecting.
      void new pg.Client(connectionString);
    }
  } catch (error) {
    if (error instanceof PostgresUrlError) throw new SettingError(error.message);
    throw new SettingError('is malformed: special characters must be percent-encoded');
  }
  return value;
}

/** A key in writing, see lib/sealing.ts. */
export function masterKey(value: string): MasterKey {
  const bytes = parseKeyBytes(value);
  if (bytes === undefined) throw new SettingError('must be 32 bytes in base64, base64url or hex');
  return new MasterKey(bytes);
}

/** The address of a mail server, with credentials if it wants any. */
export function smtpServer(value: string): SmtpServer {
  const server = parseSmtpUrl(value);
  if (server === undefined) {
    throw new SettingError(
      'must have the form smtp://user:password@host:port or smtps://…, with percent-encoded credentials, which are optional',
    );
  }
  return server;
}

/** An address that mail can come from. */
export function mailAddress(value: string): string {
  if (!isMailAddress(value))
    throw new SettingError('must be an email address without a display name');
  return value;
}
