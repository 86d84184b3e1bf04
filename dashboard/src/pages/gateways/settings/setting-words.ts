import type { operations } from '../../../api/schema.d.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCount, formatDuration } from '../../../lib/figures.ts';
import { eachSpan, spanWords } from '../../../lib/time-span.ts';

type Gateway = operations['get-gateway']['responses'][200]['content']['application/json']['result'];

/** How requests are limited. */
export interface RateLimit {
  requests: number;
  seconds: number;
  technique: string;
}

/** A rate limit in a sentence. */
export function rateLimitWords({ requests, seconds, technique }: RateLimit): string {
  const many = `At most ${counted(requests, 'request')}`;
  return technique === 'sliding'
    ? `${many} in any stretch of ${spanWords(seconds)}.`
    : `${many} in each ${eachSpan(seconds)}, counted anew ${whenAnew(seconds)}.`;
}

const HOUR = 3_600;
const DAY = 86_400;

/** When a fixed window of that length begins: at a multiple of it since 1970, in UTC. */
export function whenAnew(seconds: number): string {
  if (seconds === 60) return 'on the minute';
  if (seconds === HOUR) return 'on the hour';
  if (seconds === DAY) return 'at 00:00 UTC';
  // The first of January 1970 was a Thursday.
  if (seconds === 7 * DAY) return 'on Thursdays at 00:00 UTC';
  return 'when that is over';
}

/** How a provider that fails is called again. */
export interface Retries {
  attempts: number;
  delayMs: number;
  backoff: string;
}

/** The waits between the calls of a provider, milliseconds. */
function waitsBetween({ attempts, delayMs, backoff }: Retries): number[] {
  return Array.from({ length: Math.max(0, attempts - 1) }, (_wait, index) => {
    if (backoff === 'exponential') return delayMs * 2 ** index;
    return backoff === 'linear' ? delayMs * (index + 1) : delayMs;
  });
}

/** What happens when a provider fails, in a sentence. */
export function retryWords(retries: Retries): string {
  const waits = waitsBetween(retries);
  if (waits.length === 0) return 'Called once: if it fails, the caller gets the error.';
  const calls = `Called up to ${retries.attempts} times`;
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  if (total === 0) return `${calls}, without a wait between.`;
  const told = new Intl.ListFormat('en-GB').format(waits.map((wait) => formatDuration(wait)));
  const together = waits.length > 1 ? `, ${formatDuration(total)} together` : '';
  return `${calls}, after a wait of ${told}${together}.`;
}

/** What of a gateway's requests is logged. */
export function logWords(gateway: Gateway): string {
  if (!gateway.collect_logs) return 'Off.';
  const kept = gateway.zdr ? 'Figures of each request, without its text' : 'Each request';
  const { log_management: rows } = gateway;
  if (rows === null) return `${kept}.`;
  const rest =
    gateway.log_management_strategy === 'STOP_INSERTING' ? 'then no more' : 'the newest of them';
  return `${kept}, up to ${formatCount(rows)} rows, ${rest}.`;
}

/** Whether and for how long answers are cached. */
export function cacheWords({ cache_ttl: seconds }: Gateway): string {
  return seconds === null ? 'Off.' : `Answers are kept for ${spanWords(seconds)}.`;
}
