/** What a log tells of its times, all of them from when the request came in. */
export interface TimedLog {
  id: string;
  step: number;
  duration: number;
  ttft: number | null;
}

/** One call of a provider, in milliseconds from when the request came in. */
export interface TimingBar<Log extends TimedLog> {
  log: Log;
  startMs: number;
  /** Undefined: no byte of an answer came that the caller got. */
  firstByteMs: number | undefined;
  endMs: number;
}

/**
 * The calls of one request, one after the other: each begins where the one before was given up.
 * @param logs by their step
 */
export function timingBars<Log extends TimedLog>(logs: readonly Log[]): TimingBar<Log>[] {
  let startMs = 0;
  return logs.map((log) => {
    const endMs = Math.max(startMs, log.duration);
    const firstByteMs = log.ttft === null ? undefined : clamp(log.ttft, startMs, endMs);
    const bar = { log, startMs, firstByteMs, endMs };
    startMs = endMs;
    return bar;
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
