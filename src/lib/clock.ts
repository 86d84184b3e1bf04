/** The source of "now". Passed in everywhere, so that hours and days can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds, the only form in which a time leaves the server. */
export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
