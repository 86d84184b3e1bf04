import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  MAX_GAP_FACTOR,
  MISSES_TO_WARN,
  RECHECK_GAP_MS,
  judgeLookUp,
} from '../../src/oauth/verification/judge-look-up.ts';
import {
  type LookUpResult,
  type Verification,
  beginVerification,
} from '../../src/oauth/verification/verification.ts';

const TIMEOUT_MS = 172_800_000;
const GAP_MS = 30_000;
const results: LookUpResult[] = ['found', 'no_record', 'other_records', 'no_answer'];

function begin(): Verification {
  return beginVerification('https://app.example/', { brand: 'acme', timeoutMs: TIMEOUT_MS }, 0);
}

/** Everything that look-ups do to a verification; what is not here does not happen. */
describe('the states of a verification', () => {
  const inVain: LookUpResult[] = ['no_record', 'other_records', 'no_answer'];
  const missed: LookUpResult[] = ['no_record', 'other_records'];
  const pending = begin();
  const inProgress = judgeLookUp(pending, 'no_record', GAP_MS, 1).verification;
  const verified = judgeLookUp(pending, 'found', GAP_MS, 1).verification;
  const moves: [Verification, LookUpResult[], number, string, string | undefined][] = [
    [pending, ['found'], 1, 'verified', 'verified'],
    [pending, inVain, 1, 'in_progress', undefined],
    [pending, inVain, TIMEOUT_MS - 1, 'in_progress', undefined],
    [pending, inVain, TIMEOUT_MS, 'failed', 'failed'],
    [pending, ['found'], TIMEOUT_MS, 'verified', 'verified'],
    [inProgress, ['found'], 1, 'verified', 'verified'],
    [inProgress, inVain, TIMEOUT_MS - 1, 'in_progress', undefined],
    [inProgress, inVain, TIMEOUT_MS, 'failed', 'failed'],
    [inProgress, inVain, TIMEOUT_MS + 1, 'failed', 'failed'],
    [inProgress, ['found'], TIMEOUT_MS + 1, 'verified', 'verified'],
    [verified, results, RECHECK_GAP_MS + 1, 'verified', undefined],
    [{ ...verified, misses: 1 }, inVain, RECHECK_GAP_MS + 1, 'verified', undefined],
    [{ ...verified, misses: 2 }, missed, RECHECK_GAP_MS + 1, 'verified', 'missing'],
    [{ ...verified, misses: 2 }, ['no_answer'], RECHECK_GAP_MS + 1, 'verified', undefined],
    [{ ...verified, misses: 2 }, inVain, RECHECK_GAP_MS, 'verified', undefined],
    [{ ...verified, misses: 2 }, ['found'], RECHECK_GAP_MS + 1, 'verified', undefined],
    [{ ...verified, misses: 3 }, inVain, RECHECK_GAP_MS + 1, 'verified', undefined],
    [{ ...verified, misses: 3 }, ['found'], RECHECK_GAP_MS + 1, 'verified', 'found_again'],
  ];
  for (const [from, outcomes, nowMs, status, event] of moves) {
    for (const result of outcomes) {
      const misses = from.misses > 0 ? ` after ${from.misses} misses` : '';
      test(`${from.status}${misses}, ${result} at ${nowMs} ms → ${status}`, () => {
        const judged = judgeLookUp(from, result, GAP_MS, nowMs);
        assert.equal(judged.verification.status, status);
        assert.equal(judged.event, event);
      });
    }
  }
});

test('whatever look-ups tell, and whenever', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...results), fc.nat(TIMEOUT_MS)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 86_400_000 }), (looks, gapMs) => {
      let verification = begin();
      let nowMs = 0;
      for (const [result, lateMs] of looks) {
        const { nextCheckAtMs, status: before } = verification;
        if (nextCheckAtMs === undefined) break;
        // Never earlier than it is due, and at most as late as a server is that was down.
        nowMs = nextCheckAtMs + lateMs;
        ({ verification } = judgeLookUp(verification, result, gapMs, nowMs));
        const { status, nextCheckAtMs: nextMs } = verification;
        assert.equal(verification.lastCheckedAtMs, nowMs);
        if (before === 'verified') assert.equal(status, 'verified');
        assert.equal(status === 'failed', nextMs === undefined);
        if (status === 'verified') assert.equal(nextMs, nowMs + RECHECK_GAP_MS);
        if (status === 'in_progress') {
          assert.ok(nextMs !== undefined && nextMs > nowMs);
          assert.ok(nextMs <= Math.min(TIMEOUT_MS, nowMs + MAX_GAP_FACTOR * gapMs));
        }
        assert.ok(verification.misses === 0 || status === 'verified');
      }
    }),
  );
});

test('the warning comes with the third miss in a row, the all-clear with the next hit', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...results), { maxLength: 40 }), (looks) => {
      let { verification } = judgeLookUp(begin(), 'found', GAP_MS, 0);
      let inARow = 0;
      for (const result of looks) {
        const before = inARow;
        if (result === 'found') inARow = 0;
        else if (result !== 'no_answer') inARow++;
        const judged = judgeLookUp(verification, result, GAP_MS, verification.nextCheckAtMs ?? 0);
        ({ verification } = judged);
        assert.equal(verification.misses, inARow);
        assert.equal(
          judged.event === 'missing',
          inARow === MISSES_TO_WARN && before < MISSES_TO_WARN,
        );
        assert.equal(judged.event === 'found_again', before >= MISSES_TO_WARN && inARow === 0);
      }
    }),
  );
});

test('looks that the owner asks for put no miss off: one counts a day', () => {
  const HOUR_MS = 3_600_000;
  let { verification } = judgeLookUp(begin(), 'found', GAP_MS, 5 * HOUR_MS);
  const counts = [];
  for (let hours = 23; hours <= 4 * 23; hours += 23) {
    ({ verification } = judgeLookUp(verification, 'no_record', GAP_MS, (5 + hours) * HOUR_MS));
    counts.push(verification.misses);
    const again = (5 + hours) * HOUR_MS + 1;
    ({ verification } = judgeLookUp(verification, 'no_record', GAP_MS, again));
    assert.equal(verification.misses, counts.at(-1));
  }
  assert.deepEqual(counts, [0, 1, 2, 3]);
});
