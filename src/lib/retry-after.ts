import type { IncomingHttpHeaders } from 'node:http';

/**
 * Reads `retry-after` (RFC 9110 section 10.2.3) and the more precise `retry-after-ms` of some providers.
 * @returns milliseconds
 */
export function parseRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const { 'retry-after-ms': inMs, 'retry-after': given } = headers;
  if (typeof inMs === 'string' && /^\d{1,9}(?:\.\d+)?$/.test(inMs)) return Number(inMs);
  if (given === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(given)) return Number(given) * 1_000;
  const atMs = Date.parse(given);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
