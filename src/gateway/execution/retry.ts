import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActiveCalls, CallOwner } from './active-calls.ts';
import type { ProviderCallError } from './provider-call-error.ts';
import type { RequestOptions } from '../gateway-request.ts';
import type { Gateway, RetryPolicy } from '../../gateway-admin/snapshot.ts';

// For longer waits, the client gets the response of the provider at once.
const MAX_WAIT_MS = 60_000;

/** Returns the retry policy: the headers of the request take precedence over the gateway. */
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
 * @returns milliseconds; undefined if no attempt follows
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

/** Reads the header with which OpenAI and Anthropic control the retries of their clients. */
export function shouldRetryOf({
  'x-should-retry': given,
}: IncomingHttpHeaders): boolean | undefined {
  if (given === 'true') return true;
  return given === 'false' ? false : undefined;
}

/**
 * Waits until the next attempt. A client that disconnects, or a server that stops, ends the wait.
 * @param owner the response to the client
 */
export async function delayOrAbort(
  waitMs: number,
  calls: ActiveCalls,
  owner: CallOwner,
): Promise<void> {
  if (waitMs === 0) return;
  const call = calls.open(owner);
  try {
    await delay(waitMs, undefined, { signal: call.signal });
  } catch (error) {
    if (!call.signal.aborted) throw error;
  } finally {
    call.close();
  }
}
