import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
const DEADLINE_MS = 10_000;

/** Asks again and again until the condition holds; fails loudly when it does not within the limit. */
export async function eventually(
  what: string,
  condition: () => Promise<boolean>,
  limitMs = DEADLINE_MS,
): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`never happened: ${what}`);
    await delay(POLL_MS);
  }
}
