import { setTimeout as delay } from 'node:timers/promises';

const MIN_POLL_MS = 10;
const MAX_POLL_MS = 100;
const DEADLINE_MS = 10_000;

/**
 * Asks again and again until the condition holds; fails loudly when it does not within the limit. The
 * longer it takes, the less often it asks: it is a tenth late at most.
 */
export async function eventually(
  what: string,
  condition: () => Promise<boolean>,
  limitMs = DEADLINE_MS,
): Promise<void> {
  const startMs = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startMs;
    if (waitedMs > limitMs) throw new Error(`never happened: ${what}`);
    await delay(Math.min(Math.max(waitedMs / 10, MIN_POLL_MS), MAX_POLL_MS));
  }
}
