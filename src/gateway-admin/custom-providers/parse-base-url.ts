import { isIP } from 'node:net';
import { type ApiError, apiError } from '../../http/errors.ts';
import { isPublicAddress } from '../../lib/address-ranges.ts';
import { type AllowedTarget, isNamed, isOpened, plainHost } from '../../lib/allowed-targets.ts';
import { gatewayAdminErrors } from '../gateway-admin-errors.ts';
import { trimEnd } from '../../lib/trim-end.ts';
import { isCredentialName } from '../../lib/credential-names.ts';

/** Addresses of this server, and those that the operator allows. */
export interface BaseUrlRules {
  /** Private addresses that the operator allows. */
  upstreamAllow: readonly AllowedTarget[];
  /** Scheme, host and port of every address of this server. */
  ownOrigins: () => string[];
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

// RFC 6761 section 6.3.
const LOOPBACK_NAME = /(?:^|\.)localhost$/;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Parses the base URL of a custom provider. Removes the trailing slash of its path.
 * @throws ApiError 5022 with the reason
 */
export function parseBaseUrl(text: string, rules: BaseUrlRules): string {
  const read = readBaseUrl(text, rules, true);
  if ('fault' in read) throw refused(read.fault);
  const { origin, pathname, search } = read.url;
  return trimEnd(origin + pathname, '/') + search;
}

/**
 * Reads an address that a client has chosen for this server to call. Finds mistakes that are visible in the
 * address. The resolved address is checked at each connection.
 * @param takesQuery it may have a query
 * @returns the address, or what is wrong with it
 */
export function readBaseUrl(
  text: string,
  { upstreamAllow, ownOrigins }: BaseUrlRules,
  takesQuery = false,
): { url: URL } | { fault: string } {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return { fault: 'it must be an https URL' };
  }
  const partFault = findPartFault(text, url, takesQuery);
  if (partFault !== undefined) return { fault: partFault };
  const host = plainHost(url.hostname);
  const isPlain = url.protocol === 'http:';
  const port = url.port === '' ? (isPlain ? HTTP_PORT : HTTPS_PORT) : Number(url.port);
  if (port === 0) return { fault: 'port 0 is invalid' };
  // `example.com.` is the same host.
  url.hostname = host.includes(':') ? `[${host}]` : host;
  if (ownOrigins().includes(url.origin)) return { fault: 'it is an address of this server' };
  const isOpened = isOpenedByOperator(host, port, upstreamAllow);
  if (isPlain && !isOpened) return { fault: 'it must be an https URL' };
  if (!isOpened && !isPublicHost(host, upstreamAllow)) {
    return { fault: 'its host must be public' };
  }
  return { url };
}

/** Finds parts that the address must not have. */
function findPartFault(text: string, url: URL, takesQuery: boolean): string | undefined {
  if (url.username !== '' || url.password !== '') {
    return 'it must not contain a user name or a password: store the key in the gateway';
  }
  // An empty query or fragment consists only of its sign.
  if (text.includes('#')) return 'it must not have a fragment';
  if (!takesQuery && text.includes('?')) return 'it must not have a query';
  if ([...url.searchParams.keys()].some(isKeyName)) {
    return 'its query must not contain a key: store the key in the gateway';
  }
  return undefined;
}

/** The value of a parameter with this name is a credential. */
function isKeyName(name: string): boolean {
  return isCredentialName(name) || /^(?:key|sig)$/i.test(name);
}

function isOpenedByOperator(
  host: string,
  port: number,
  allowed: readonly AllowedTarget[],
): boolean {
  const addresses = LOOPBACK_NAME.test(host) ? LOOPBACK : [host];
  return (
    isNamed(host, port, allowed) ||
    addresses.some((address) => isOpened({ host, address, port }, allowed))
  );
}

function isPublicHost(host: string, allowed: readonly AllowedTarget[]): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  if (LOOPBACK_NAME.test(host)) return false;
  // A name without a dot belongs to the local network, of which the operator may allow some addresses.
  return host.includes('.') || allowed.some((target) => typeof target.host !== 'string');
}

function refused(reason: string): ApiError {
  const { invalidBaseUrl } = gatewayAdminErrors;
  return apiError(invalidBaseUrl, {
    message: `${invalidBaseUrl.message}: ${reason}`,
    pointer: '/base_url',
  });
}
