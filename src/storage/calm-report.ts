import type { ReportTrouble } from './invalidation.ts';

// While storage is in trouble, whatever works in the background meets it again and again.
const REPEAT_MS = 10 * 60_000;
// Messages are few, but some hold a name.
const MAX_MESSAGES = 200;

/**
 * Passes reports on, but each about trouble with storage once in ten minutes only: the database tells of it
 * by itself.
 * @param isStorageTrouble whether an error is about storage
 */
export function calmReport(
  report: ReportTrouble,
  isStorageTrouble: (error: unknown) => boolean,
): ReportTrouble {
  const reportedAtMs = new Map<string, number>();
  return (error, message) => {
    if (isStorageTrouble(error)) {
      const nowMs = performance.now();
      if (nowMs - (reportedAtMs.get(message) ?? -Infinity) < REPEAT_MS) return;
      if (reportedAtMs.size >= MAX_MESSAGES) reportedAtMs.clear();
      reportedAtMs.set(message, nowMs);
    }
    report(error, message);
  };
}
