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

/**
 * The answer to a browser that asks before it sends. It does not say yet who its user is, so every
 * origin may send; who may read the answer is decided there.
 */
export function preflightHeaders(
  origin: string | undefined,
  methods: readonly string[],
): Record<string, string> {
  return {
    'access-control-allow-origin': origin ?? '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, if-match, idempotency-key',
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'origin',
  };
}
