// Answers take their time, and the header tells whole seconds.
const TOLERATED_MS = 30_000;

let aheadMs = 0;

/** Learns from the `Date` header of an answer how far the clock of this machine is off. */
export function learnTime(date: string | null): void {
  const toldMs = Date.parse(date ?? '');
  if (Number.isNaN(toldMs)) return;
  const differenceMs = toldMs - Date.now();
  aheadMs = Math.abs(differenceMs) > TOLERATED_MS ? differenceMs : 0;
}

/** The time as the server has it, which decides what has ended. */
export function serverNow(): number {
  return serverTimeOf(Date.now());
}

/** What the server's clock said at a time of this machine's. */
export function serverTimeOf(hereMs: number): number {
  return hereMs + aheadMs;
}
