import type { operations } from '../../../api/schema.d.ts';
import { counted } from '../../../lib/counted.ts';
import { formatCount, formatDuration } from '../../../lib/figures.ts';
import { eachSpan, spanWords } from '../../../lib/time-span.ts';
import { labels } from './labels.ts';

type Gateway = operations['get-gateway']['responses'][200]['content']['application/json']['result'];

/** How requests are limited. */
export interface RateLimit {
  requests: number;
  seconds: number;
  technique: string;
}

/** A rate limit in a sentence. */
export function rateLimitWords({ requests, seconds, technique }: RateLimit): string {
  const many = labels.atMost(counted(requests, 'request'));
  return technique === 'sliding'
    ? labels.inAny(many, spanWords(seconds))
    : labels.perReset(many, eachSpan(seconds), whenAnew(seconds));
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
  return 'at its end';
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
  if (waits.length === 0) return labels.calledOnceIfTheCall;
  const calls = labels.calledUpToTimes(retries.attempts);
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  if (total === 0) return labels.withoutADelay(calls);
  const told = new Intl.ListFormat('en-GB').format(waits.map((wait) => formatDuration(wait)));
  const together = waits.length > 1 ? `, ${formatDuration(total)} together` : '';
  return labels.afterADelayOf(calls, told, together);
}

/** What of a gateway's requests is logged. */
export function logWords(gateway: Gateway): string {
  if (!gateway.collect_logs) return labels.offSentence;
  const kept = gateway.zdr ? labels.figuresOfEachRequestWithout : labels.eachRequest;
  const { log_management: rows } = gateway;
  if (rows === null || rows === 0) return `${kept}.`;
  const rest =
    gateway.log_management_strategy === 'STOP_INSERTING'
      ? 'then logging stops'
      : 'the newest are kept';
  return labels.upToRows(kept, formatCount(rows), rest);
}

/** Whether and for how long answers are cached. */
export function cacheWords({ cache_ttl: seconds }: Gateway): string {
  return seconds === null || seconds === 0
    ? labels.offSentence
    : labels.responsesAreCachedFor(spanWords(seconds));
}
