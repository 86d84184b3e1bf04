import type { IncomingHttpHeaders } from 'node:http';

// How long a browser may remember what it was told before it sends.
const PREFLIGHT_SECONDS = '600';

// What scripts may see of an answer apart from its body and a few headers that say little.
const EXPOSED_HEADERS = [
  'www-authenticate',
  'retry-after',
  'etag',
  'idempotency-replayed',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
].join(', ');

/** Response headers, lower case, that let pages of every origin read an answer. */
export const READABLE_BY_EVERYBODY: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/**
 * Response headers, lower case, that let a page read an answer when its origin is one of these (Fetch
 * standard section 3.3). Cookies never count: nothing here allows credentials.
 * @param origin as the request says
 */
export function corsHeaders(
  origin: string | undefined,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
}

const STANDARD_HEADERS = 'authorization, content-type, if-match, idempotency-key';

const MAX_HEADERS_CHARACTERS = 4_096;
// Names of fields (RFC 9110 section 5.1), separated by commas.
const HEADER_LIST = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/;

/** They make a session count, which no other origin may use. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['cookie', 'x-csrf-token']);

/**
 * Returns the header names that a preflight allows: those that it asks for, because the server ignores the headers that
 * it does not know, and SDKs send many of their own.
 */
function allowedHeaders(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > MAX_HEADERS_CHARACTERS || !HEADER_LIST.test(wanted)) {
    return STANDARD_HEADERS;
  }
  return wanted
    .split(/, ?/)
    .filter((name) => !OF_SESSIONS.has(name.toLowerCase()))
    .join(', ');
}

/**
 * The answer to a browser that asks before it sends. It does not say yet who its user is, so every
 * origin may send; who may read the answer is decided there.
 */
export function preflightHeaders(
  origin: string | undefined,
  methods: readonly string[],
  wanted: string | undefined,
): Record<string, string> {
  return {
    'access-control-allow-origin': origin ?? '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowedHeaders(wanted),
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'origin, access-control-request-headers',
  };
}

/**
 * Returns true if a browser asks on behalf of a page of another origin for one of the methods (Fetch standard section
 * 3.3.2). A response that lists the methods is not enough: browsers send GET, HEAD and POST regardless of it.
 */
export function isPreflight(
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  methods: readonly string[],
): boolean {
  const asked = headers['access-control-request-method'];
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    asked !== undefined &&
    methods.includes(asked)
  );
}
