import { CSRF_HEADER } from '../iam/sessions/session-cookie.ts';
import { SECRET_PATTERN } from '../lib/secrets.ts';
import { decodings } from './percent-encoding.ts';

/** RFC 9110 section 7.6.1, and the older ones that no proxy passes on. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers that providers do not get: the gateway writes them itself, or they concern only this server. */
const NOT_UPSTREAM = new Set([
  ...HOP_BY_HOP,
  'accept-encoding',
  'content-length',
  'cookie',
  CSRF_HEADER,
  'expect',
  'forwarded',
  'host',
  'x-real-ip',
]);

const OWN_SECRET = new RegExp(SECRET_PATTERN);
/** Headers in which any provider accepts credentials. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
]);

const NONE: ReadonlySet<string> = new Set();
const CONNECTION = 'connection';

/** Headers in which a browser describes itself and the page that sends a request. */
const OF_PAGE = new RegExp(`^(?:cookie|${CSRF_HEADER}|origin|referer|priority|dnt|sec-.*)$`, 'i');

/**
 * The headers of a request that a page of ours has sent, without what only concerns us: neither providers nor
 * the log learn of it, and providers refuse what comes from pages.
 * @param rawHeaders as node:http gives them
 */
export function headersOfPage(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => !OF_PAGE.test(rawHeaders[index - (index % 2)] ?? ''));
}

/** The headers that Connection names, of which there may be several. */
export function namedByConnection(values: readonly string[]): ReadonlySet<string> {
  if (values.every((value) => value === 'keep-alive' || value === 'close')) return NONE;
  const names = values.flatMap((value) => value.split(','));
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/**
 * Decides if a header value or a path contains a credential that this server has issued, also in the form of Basic
 * authentication (RFC 7617) and percent-encoded.
 */
export function holdsOwnSecret(value: string): boolean {
  if (holdsPlainSecret(value)) return true;
  const [, basic] = BASIC.exec(value) ?? [];
  if (basic !== undefined && holdsOwnSecret(Buffer.from(basic, 'base64').toString())) return true;
  return value.includes('%') && decodings(value).some(holdsPlainSecret);
}

const BASIC = /^basic\s+([\w+/=-]+)/i;

function holdsPlainSecret(text: string): boolean {
  return text.includes('lk') && OWN_SECRET.test(text);
}

/**
 * The request headers for a provider, as alternating names and values.
 * @param rawHeaders as node:http gives them
 * @param dropCredentials whether the caller's credentials were meant for us (the REST API), or another
 *   takes their place
 * @param credentialHeaders those of the provider
 */
export function upstreamHeaders(
  rawHeaders: readonly string[],
  dropCredentials: boolean,
  credentialHeaders: readonly string[] = [],
): string[] {
  const headers: string[] = [];
  const named = hopHeadersOf(rawHeaders);
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (NOT_UPSTREAM.has(name) || named.has(name)) continue;
    if (name.startsWith('cf-aig-') || name.startsWith('x-forwarded-')) continue;
    const isCredential = CREDENTIAL_HEADERS.has(name) || credentialHeaders.includes(name);
    if (isCredential && dropCredentials) continue;
    // A credential of ours is worth nothing to a provider, and must not lie in its logs.
    if (holdsOwnSecret(value)) continue;
    headers.push(name, value);
  }
  // The answer passes through byte for byte; uncompressed, its usage can be read on the way.
  headers.push('accept-encoding', 'identity');
  return headers;
}

/** The headers that the `Connection` headers of a request name: no provider gets them. */
export function hopHeadersOf(rawHeaders: readonly string[]): ReadonlySet<string> {
  return namedByConnection(connectionsOf(rawHeaders));
}

function connectionsOf(rawHeaders: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === CONNECTION.length && name.toLowerCase() === CONNECTION) {
      values.push(rawHeaders[i + 1] ?? '');
    }
  }
  return values;
}

/** Returns true if a list of alternating names in lower case and values contains the header. */
export function hasHeader(headers: readonly string[], name: string): boolean {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return true;
  return false;
}

/** undici gives a header that came twice as a list, whatever its type says. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
