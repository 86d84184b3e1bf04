import { CSRF_HEADER } from '../iam/sessions/session-cookie.ts';
import { SECRET_PATTERN } from '../lib/secrets.ts';
import { decodings } from '../lib/percent-encoding.ts';

/** Headers of a response, by their names in lower case. */
export type ResponseHeaders = Record<string, string | string[]>;

/** RFC 9110 section 7.6.1, and older headers that proxies remove. */
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

/** Headers that the gateway does not forward: it writes them itself, or they concern only this server. */
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
 * Returns the headers of a request from a page of this server, without session and browser headers: neither providers nor the
 * log may see them, and providers reject requests from pages.
 * @param rawHeaders alternating names and values
 */
export function headersOfPage(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => !OF_PAGE.test(rawHeaders[index - (index % 2)] ?? ''));
}

/** Returns the headers that the `Connection` headers name. */
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
 * Returns the request headers for a provider, as alternating names and values.
 * @param rawHeaders alternating names and values
 * @param dropCredentials the credentials of the client are for this server (the REST API), or another key replaces them
 * @param credentialHeaders the credential headers of the provider
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
    // A provider must not get a credential of this server into its logs.
    if (holdsOwnSecret(value)) continue;
    headers.push(name, value);
  }
  // Decoding a compressed response costs time.
  headers.push('accept-encoding', 'identity');
  return headers;
}

/** Returns the headers that the `Connection` headers of a request name. The gateway does not forward them. */
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

/** Returns the first value: undici returns a repeated header as a list, despite its type. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
