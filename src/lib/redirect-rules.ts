import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AddressRange, isInRanges, parseAddressRange } from './address-ranges.ts';

/** The redirect URIs that an operator allows besides those of the rules for everyone. */
export interface RedirectRules {
  /** Private-use schemes without a domain, lower case, such as `cursor`. */
  schemes: readonly string[];
  /** Hosts that may use plain http. */
  httpHosts: readonly HttpHost[];
}

/** A host name, `*.suffix` as `.suffix`, or addresses. */
export type HttpHost = string | AddressRange;

// Browsers interpret these themselves, or they run script.
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'intent',
  'jar',
  'javascript',
  'mailto',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]);
const SCHEME = /^[a-z][a-z0-9+-]{0,63}$/;

/** Reads a private-use scheme, without the colon. Returns undefined for a scheme that no operator can allow. */
export function parseRedirectScheme(text: string): string | undefined {
  const scheme = text.toLowerCase();
  return SCHEME.test(scheme) && !FORBIDDEN_SCHEMES.has(scheme) ? scheme : undefined;
}

// RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), and `internal`, which ICANN has reserved.
const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];
const LABELS =
  /^(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/;
const LOCAL_RANGES = ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/**
 * Reads a host of a local network: a name without a dot, a name or `*.suffix` of a local domain, or a private address or
 * range. Returns undefined for anything else, because a plain http connection over the Internet exposes codes.
 */
export function parseHttpHost(text: string): HttpHost | undefined {
  const range = parseAddressRange(text.replace(/^\[(.*)\]$/, '$1'));
  if (range !== undefined) return isLocalRange(range) ? range : undefined;
  const lower = text.toLowerCase();
  const isSuffix = lower.startsWith('*.');
  const name = isSuffix ? lower.slice(2) : lower;
  if (name.length > 253 || !LABELS.test(name) || isIP(name) !== 0) return undefined;
  // `127.1` and `0x7f` look like names, and are addresses in every URL.
  if (URL.parse(`http://${name}/`)?.hostname !== name) return undefined;
  const isLocal = LOCAL_SUFFIXES.some((suffix) => `.${name}`.endsWith(suffix));
  if (isSuffix) return isLocal ? `.${name}` : undefined;
  return isLocal || !name.includes('.') ? name : undefined;
}

function isLocalRange([start, bits]: AddressRange): boolean {
  const cidr = `${start.toString()}/${bits}`;
  const kind = start.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = kind.networkAddressFromCIDR(cidr).range();
  return LOCAL_RANGES.includes(first) && kind.broadcastAddressFromCIDR(cidr).range() === first;
}

/**
 * Returns true if an operator allows plain http for a host.
 * @param host of a URL, lower case, an IPv6 address in brackets
 */
export function isHttpHost(host: string, { httpHosts }: RedirectRules): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return httpHosts.some((allowed) => {
    if (typeof allowed !== 'string') return isInRanges(address, [allowed]);
    return allowed.startsWith('.') ? host.endsWith(allowed) : host === allowed;
  });
}

/** The rules of a server whose operator allows nothing. */
export const NO_REDIRECT_RULES: RedirectRules = { schemes: [], httpHosts: [] };
