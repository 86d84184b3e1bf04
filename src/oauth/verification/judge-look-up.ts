import type { LookUpResult, Verification } from './verification.ts';

/** The longest gap is that many times the shortest. */
export const MAX_GAP_FACTOR = 20;

/** From one look-up of a verified host to the next. */
export const RECHECK_GAP_MS = 24 * 3_600_000;

/** So many daily look-ups in a row without the record are worth a warning. */
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
    const next = { status: 'verified', verifiedAtMs: nowMs, nextCheckAtMs: nowMs + RECHECK_GAP_MS };
    return { verification: { ...checked, ...next } as Verification, event: 'verified' };
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
function judgeRecheck(
  checked: Verification,
  { lastCheckedAtMs = 0, misses: missesBefore }: Verification,
  nowMs: number,
): Judgement {
  // A look-up that the owner asked for in between is none of the daily ones.
  const isDaily = nowMs - lastCheckedAtMs >= RECHECK_GAP_MS;
  const missed = isDaily ? missesBefore + 1 : missesBefore;
  const misses = checked.lastResult === 'found' ? 0 : missed;
  const verification = { ...checked, misses, nextCheckAtMs: nowMs + RECHECK_GAP_MS };
  if (misses >= MISSES_TO_WARN && missesBefore < MISSES_TO_WARN) {
    return { verification, event: 'missing' };
  }
  const isBack = misses === 0 && missesBefore >= MISSES_TO_WARN;
  return { verification, event: isBack ? 'found_again' : undefined };
}
