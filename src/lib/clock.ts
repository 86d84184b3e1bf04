/** The source of "now". Passed in everywhere, so that hours and days can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
  /**
   * Milliseconds since some moment, by a clock that nobody sets: with it a step of the other is seen.
   * Clocks of tests may be without.
   */
  elapsedMs?(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
};

/** RFC 3339 in UTC with milliseconds, the only form in which a time leaves the server. */
export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
