import type { LookUpResult, Verification } from './verification.ts';

/** The longest gap is that many times the shortest. */
export const MAX_GAP_FACTOR = 20;

/** From one look-up of a verified host to the next. */
export const RECHECK_GAP_MS = 24 * 3_600_000;

/** So many daily look-ups in a row that were answered without the record are worth a warning. */
export const MISSES_TO_WARN = 3;

/** A turn of events that belongs into the audit log. */
export type VerificationEvent = 'verified' | 'failed' | 'missing' | 'found_again';

interface Judgement {
  verification: Verification;
  event: VerificationEvent | undefined;
}

/**
 * What a look-up makes of a verification.
 * @param nowMs when the look-up ended
 */
export function judgeLookUp(
  verification: Verification,
  result: LookUpResult,
  shortestGapMs: number,
  nowMs: number,
): Judgement {
  const checked = { ...verification, lastResult: result, lastCheckedAtMs: nowMs };
  if (verification.status === 'verified') return judgeRecheck(checked, verification, nowMs);
  if (result === 'found') {
    const nextCheckAtMs = nowMs + RECHECK_GAP_MS;
    const next = { status: 'verified', verifiedAtMs: nowMs, nextCheckAtMs } as const;
    return { verification: { ...checked, ...next }, event: 'verified' };
  }
  const { deadlineAtMs } = verification;
  const attempts = verification.attempts + 1;
  if (nowMs >= deadlineAtMs) {
    const failed = { ...checked, attempts, status: 'failed', nextCheckAtMs: undefined } as const;
    return { verification: failed, event: 'failed' };
  }
  const gapMs = shortestGapMs * Math.min(MAX_GAP_FACTOR, 2 ** (attempts - 1));
  // The last look-up is made when the time is over, so that a late record still counts.
  const nextCheckAtMs = Math.min(nowMs + gapMs, deadlineAtMs);
  return {
    verification: { ...checked, attempts, status: 'in_progress', nextCheckAtMs },
    event: undefined,
  };
}

/** A verified host stays verified, whatever is found: what users rely on must not hang on DNS alone. */
function judgeRecheck(checked: Verification, before: Verification, nowMs: number): Judgement {
  const { misses: missesBefore } = before;
  const misses = countMisses(checked.lastResult, before, nowMs);
  const verification = { ...checked, misses, nextCheckAtMs: nowMs + RECHECK_GAP_MS };
  if (misses >= MISSES_TO_WARN && missesBefore < MISSES_TO_WARN) {
    return { verification, event: 'missing' };
  }
  const isBack = misses === 0 && missesBefore >= MISSES_TO_WARN;
  return { verification, event: isBack ? 'found_again' : undefined };
}

/** Nobody's silence says that a record is gone, and of several looks on one day the first counts. */
function countMisses(
  result: LookUpResult | undefined,
  { verifiedAtMs = 0, lastCheckedAtMs = 0, misses }: Verification,
  nowMs: number,
): number {
  if (result === 'found') return 0;
  if (result === 'no_answer') return misses;
  // Counted from the verification, not from the last look: owners can ask for looks of their own.
  const dayOf = (timeMs: number): number => Math.floor((timeMs - verifiedAtMs) / RECHECK_GAP_MS);
  return dayOf(nowMs) > dayOf(lastCheckedAtMs) ? misses + 1 : misses;
}
