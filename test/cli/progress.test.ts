import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgress } from '../../src/cli/progress.ts';

test('progress in words', () => {
  const cases = [
    [describeProgress(0, 10, 0), '  0 %  0 of 10 rows  0 rows/s', 0],
    [
      describeProgress(2_500, 10_000, 5),
      ' 25 %  2,500 of 10,000 rows  500 rows/s  15 s left',
      0.25,
    ],
    [
      describeProgress(1, 1_001, 1),
      '  0 %  1 of 1,001 rows  1 rows/s  16 min 40 s left',
      1 / 1_001,
    ],
    [
      describeProgress(1, 10_001, 1),
      '  0 %  1 of 10,001 rows  1 rows/s  2 h 46 min left',
      1 / 10_001,
    ],
    // More was written meanwhile.
    [describeProgress(12, 10, 1), '100 %  12 of 10 rows  12 rows/s  0 s left', 1],
    [describeProgress(0, 0, 1), '100 %  0 of 0 rows  0 rows/s', 1],
    [describeProgress(1_234, undefined, 2), '1,234 rows  617 rows/s', undefined],
  ] as const;
  for (const [{ text, share }, expectedText, expectedShare] of cases) {
    assert.deepEqual([text, share], [expectedText, expectedShare]);
  }
});
