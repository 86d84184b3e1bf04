import type { IncomingHttpHeaders } from 'node:http';
import type { Gateway, RetryPolicy } from './gateways/gateway-store.ts';
import type { RequestOptions } from './options.ts';
import type { CallsUnderWay } from './calls-under-way.ts';
import type { Outlet } from './outlet.ts';
import type { ProviderCallError } from './provider-call-error.ts';

// For longer waits, the client gets the response of the provider at once.
const MAX_WAIT_MS = 60_000;

/** The retry policy of a request: its headers, or else the settings of its gateway. */
export function retryPolicyOf({ retry }: Gateway, options: RequestOptions): RetryPolicy {
  return {
    maxAttempts: options.maxAttempts ?? retry.maxAttempts,
    delayMs: options.retryDelayMs ?? retry.delayMs,
    backoff: options.backoff ?? retry.backoff,
  };
}

/**
 * Returns the wait after a failed attempt.
 * @param attempt counted from 1
 * @returns milliseconds; undefined when there is no further attempt
 */
export function retryDelayMs(
  { maxAttempts, delayMs, backoff }: RetryPolicy,
  attempt: number,
  error: ProviderCallError,
): number | undefined {
  if (attempt >= maxAttempts || !isTransient(error)) return undefined;
  const factor = { constant: 1, linear: attempt, exponential: 2 ** (attempt - 1) }[backoff];
  const waitMs = Math.max(delayMs * factor, error.retryAfterMs ?? 0);
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}

/** The same request may succeed later. */
function isTransient({ status, shouldRetry }: ProviderCallError): boolean {
  return shouldRetry ?? (status === 408 || status === 429 || status >= 500);
}

/** RFC 9110 section 10.2.3, and the header in milliseconds that some providers send beside it. */
export function parseRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const { 'retry-after-ms': inMs, 'retry-after': given } = headers;
  if (typeof inMs === 'string' && /^\d{1,9}(?:\.\d+)?$/.test(inMs)) return Number(inMs);
  if (given === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(given)) return Number(given) * 1_000;
  const atMs = Date.parse(given);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** The header by which OpenAI and Anthropic direct the retries of their clients. */
export function shouldRetryOf({
  'x-should-retry': given,
}: IncomingHttpHeaders): boolean | undefined {
  if (given === 'true') return true;
  return given === 'false' ? false : undefined;
}

/**
 * Waits until the next attempt. Returns true if the client leaves before. The wait ends early when the server
 * stops; the caller then makes no further attempt.
 */
export async function delayOrAbort(
  outlet: Outlet,
  waitMs: number,
  calls: CallsUnderWay,
): Promise<boolean> {
  if (waitMs === 0) return outlet.isGone;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  const wait = { stop: resolve };
  calls.enter(wait);
  outlet.onGone(resolve);
  await promise;
  calls.leave(wait);
  clearTimeout(timer);
  return outlet.isGone;
}
