import type { IncomingHttpHeaders } from 'node:http';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { Endpoint } from './endpoint.ts';

const PREFLIGHT_SECONDS = '600';

/** Headers that let pages of other origins read an answer. Cookies never count. */
export function corsHeaders(
  cors: Endpoint['cors'],
  origin: string | undefined,
  client: Pick<RegisteredClient, 'allowedCorsOrigins'> | undefined,
): Record<string, string> {
  if (cors === 'nobody') return {};
  if (cors === 'everybody') return { 'access-control-allow-origin': '*' };
  if (origin === undefined || client?.allowedCorsOrigins.includes(origin) !== true) {
    return { vary: 'origin' };
  }
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'www-authenticate, retry-after',
  };
}

/**
 * The answer to a browser that asks before it sends. It does not say yet who the client is, so every
 * origin may send; who may read the answer is decided there.
 */
export function preflightHeaders(
  cors: Endpoint['cors'],
  { origin }: IncomingHttpHeaders,
  methods: readonly string[],
): Record<string, string> {
  return {
    'access-control-allow-origin': cors === 'everybody' ? '*' : (origin ?? '*'),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'origin',
  };
}
